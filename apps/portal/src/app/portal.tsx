import { QueryClientProvider } from '@tanstack/react-query';
import { createRouter, type ErrorComponentProps, RouterProvider, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { connected, connection } from '#platform/api/connection.ts';
import { queryClient } from '#platform/api/query-client.ts';
import { ERROR_TITLE } from '#platform/feedback/alert-list.ts';
import classes from '#platform/page/page.module.css';
import { CenteredMain, PageError, Skeletons } from '#platform/page/page.tsx';
import { useTitle } from '#platform/page/use-title.ts';
import { useSession } from '#workspace/session/use-session.ts';
import { parseSearch, stringifySearch } from './address-search.ts';
import { isMissingCode } from './pages/missing-code.ts';
import { routeTree } from './route-tree.gen.ts';

const router = createRouter({
  routeTree,
  parseSearch,
  stringifySearch,
  defaultPendingMs: 200,
  defaultPendingMinMs: 0,
  defaultPendingComponent: PendingPage,
  defaultErrorComponent: BrokenPage,
});

declare module '@tanstack/react-router' {
  /** State of an entry in the tab's history. It's never in the URL, so that no link can set it. */
  interface HistoryState {
    /** The path of this portal to go to after sign-in. */
    from?: string;
    /** A notice above the sign-in form, such as after a sign-up. */
    notice?: string;
    /** Where the single sign-on of the team begins that requires it. */
    ssoUrl?: string;
    /** Why the sign-in by cookie failed. */
    error?: string;
    /** One step of a wizard is being corrected; the next step is the one that was left. */
    isDetour?: boolean;
    /** The integration whose triggers are opened. */
    integrationId?: string;
    /** The command that the palette runs on the next screen as soon as it is rendered. */
    command?: string;
    /** A user's panel that was opened from the list: closing it goes back. */
    isOverList?: boolean;
    /** Warnings of the server to show on the next screen; no secrets. */
    warnings?: readonly string[];
  }
  interface Register {
    router: typeof router;
  }
}

/** Every screen, by its address. */
export function Portal() {
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  );
}

const NOT_LOADED = new Error("Couldn't load this page. We'll retry when you're back online.");

/** Shown when a screen fails to load or render. */
function BrokenPage({ error }: ErrorComponentProps) {
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

/** Shown while the code of a screen loads: bars for a title, a sentence, the controls and the content. */
function PendingPage() {
  return (
    <div className={classes.page} aria-busy="true">
      <Skeletons rows={1} height={26} width="180px" />
      <Skeletons rows={1} height={16} width="420px" />
      <Skeletons rows={1} height={36} width="420px" />
      <Skeletons rows={6} height={48} />
    </div>
  );
}
