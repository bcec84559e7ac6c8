import { QueryClientProvider } from '@tanstack/react-query';
import {
  createRouter,
  type ErrorComponentProps,
  type RouterHistory,
  RouterProvider,
  useRouter,
} from '@tanstack/react-router';
import { useEffect } from 'react';
import { connected, connection } from '#platform/api/connection.ts';
import { queryClient } from '#platform/api/query-client.ts';
import { ERROR_TITLE } from '#platform/feedback/alert-list.ts';
import classes from '#platform/page/page.module.css';
import { CenteredMain, PageError, Skeletons } from '#platform/page/page.tsx';
import { useTitle } from '#platform/page/use-title.ts';
import { useSession } from '#workspace/session/session-state.ts';
import { parseSearch, stringifySearch } from './address-search.ts';
import { isMissingCode } from './missing-code.ts';
import { routeTree } from './route-tree.gen.ts';

/** Tests pass a history of their own. */
export function createPortalRouter(history?: RouterHistory) {
  return createRouter({
    routeTree,
    parseSearch,
    stringifySearch,
    defaultPendingMs: 200,
    defaultPendingMinMs: 0,
    defaultPendingComponent: PendingPage,
    defaultErrorComponent: BrokenPage,
    ...(history !== undefined && { history }),
  });
}

const router = createPortalRouter();

declare module '@tanstack/react-router' {
  /** State of an entry in the tab's history. It is never in the URL, so that no link can set it. */
  interface HistoryState {
    from?: string;
    /** A notice above the sign-in form, for example after a sign-up. */
    notice?: string;
    /** Says below the notice what signing in does. */
    next?: string;
    /** The URL at which the team's required single sign-on starts. */
    ssoUrl?: string;
    /** The link is about a team that the user doesn't manage, or that doesn't exist. */
    isUnknownTeam?: boolean;
    error?: string;
    /** One step of a wizard is being corrected. The next step is the one that the user came from. */
    isDetour?: boolean;
    integrationId?: string;
    /** The command that the palette runs on the next screen as soon as it is rendered. */
    command?: string;
    /** The panel was opened from the list, so closing it goes back. */
    isOverList?: boolean;
    /** Warnings of the server that the next screen shows. They contain no secrets. */
    warnings?: readonly string[];
  }
  interface Register {
    router: typeof router;
  }
}

export function Portal() {
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  );
}

const NOT_LOADED = new Error("Couldn't load this page. We'll retry when you're back online.");

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
  // The shell already has a <main>. Without a session there is no shell.
  return useSession() === null ? <CenteredMain>{notice}</CenteredMain> : notice;
}

async function reload(): Promise<void> {
  await connected();
  location.reload();
}

/** The bars have the shape of a title, a sentence, the controls and the content. */
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
