import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { connected, connection } from '#platform/api/connection.ts';
import { ERROR_TITLE } from '#platform/feedback/alert-list.ts';
import { PageError, useTitle } from '#platform/page/page.tsx';
import { useSession } from '#workspace/session/use-session.ts';
import { isMissingCode } from './missing-code.ts';

const NOT_LOADED = new Error('This screen could not be loaded. It is tried again as soon as there is a connection.');

/** What is shown when a screen could not be drawn. */
export function BrokenPage({ error }: ErrorComponentProps) {
  const router = useRouter();
  const isMissing = isMissingCode(error);
  useTitle(ERROR_TITLE);
  // The browser keeps what it could not fetch as missing, so that only a page that is loaded again finds it.
  useEffect(() => {
    if (isMissing && connection() === 'offline') void reload();
  }, [isMissing]);
  const notice = (
    <PageError
      failure={isMissing ? NOT_LOADED : error}
      isWholeScreen
      onRetry={() => void (isMissing ? reload() : router.invalidate())}
    />
  );
  // The shell has a place for the content already; without a session there is no shell.
  return useSession() === null ? <main>{notice}</main> : notice;
}

async function reload(): Promise<void> {
  await connected();
  location.reload();
}
