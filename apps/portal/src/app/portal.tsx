import { QueryClientProvider } from '@tanstack/react-query';
import { createRouter, RouterProvider } from '@tanstack/react-router';
import { queryClient } from '#platform/api/query-client.ts';
import { parseSearch, stringifySearch } from './address-search.ts';
import { BrokenPage } from './pages/broken-page.tsx';
import { PendingPage } from './pages/pending-page.tsx';
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
