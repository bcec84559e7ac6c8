import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { connected, connection } from '#platform/api/connection.ts';
import { ERROR_TITLE } from '#platform/feedback/alert-list.ts';
import { CenteredMain, PageError } from '#platform/page/page.tsx';
import { useTitle } from '#platform/page/use-title.ts';
import { useSession } from '#workspace/session/use-session.ts';
import { isMissingCode } from './missing-code.ts';

const NOT_LOADED = new Error("Couldn't load this page. We'll retry when you're back online.");

/** Shown when a screen fails to load or render. */
export function BrokenPage({ error }: ErrorComponentProps) {
  const router = useRouter();
  const isMissing = isMissingCode(error);
  useTitle(ERROR_TITLE);
  // The browser remembers a failed import, so only a reloaded page can fetch it.
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
  // Inside the shell there is a <main> already; without a session there is no shell.
  return useSession() === null ? <CenteredMain>{notice}</CenteredMain> : notice;
}

async function reload(): Promise<void> {
  await connected();
  location.reload();
}
