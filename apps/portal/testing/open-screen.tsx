import { MantineProvider } from '@mantine/core';
import { listConnections } from '@steward/contract/connections';
import { listStatuses } from '@steward/contract/session';
import { listTeamMembers, listTeams } from '@steward/contract/session/teams';
import type { Role } from '@steward/contract/users/roles';
import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, type HistoryState, RouterProvider } from '@tanstack/react-router';
import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { createPortalRouter } from '#app/portal.tsx';
import { theme } from '#app/theme/theme.ts';
import { Failure } from '#platform/api/failure.ts';
import { queryClient } from '#platform/api/query-client.ts';
import { setSession } from '#workspace/session/session-state.ts';
import { aUser } from './a-user.ts';
import { answer, isAnswered } from './fake-server.ts';

export const TEAM = { id: 't'.repeat(26), display_name: 'Northwind' };

export const SOUTHWIND = { id: 's'.repeat(26), display_name: 'Southwind' };

const OWNER: readonly Role[] = ['team_owner', 'team_admin', 'team_user'];

export const OLIVIA = aUser({
  id: 'o'.repeat(26),
  first_name: 'Olivia',
  last_name: 'Owner',
  email: 'olivia@example.test',
  status: 'online',
  roles: [...OWNER],
});

/** Olivia has these roles in each of the teams. No server is connected unless the test says otherwise. */
export function answerTeams(teams: readonly (typeof TEAM)[], roles = OWNER): void {
  answer(listStatuses, []);
  if (!isAnswered(listConnections)) answer(listConnections, { records: [] });
  answer(
    listTeams,
    teams.map((team) => ({ ...team, create_at: 1, time_zone: 'Europe/Berlin' })),
  );
  answer(
    listTeamMembers,
    teams.map(({ id, display_name }) => ({ team_id: id, id: OLIVIA.id, display_name, roles: [...roles] })),
  );
}

/** Sets the cookie of Olivia's sign-in that scripts can read. */
export function keepCookie(): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the server sets it in the product
  document.cookie = `steward_user=${OLIVIA.id}`;
}

/** Opens the portal at a path, signed in as Olivia, who has these roles in the team Northwind, or in these teams. */
export function openScreen(path: string, roles = OWNER, teams: readonly (typeof TEAM)[] = [TEAM]) {
  keepCookie();
  answerTeams(teams, roles);
  const managed = teams.map((team) => ({ ...team, roles }));
  const currentTeam = { ...(managed[0] ?? TEAM), roles };
  setSession({ user: OLIVIA, teams: managed, currentTeam, lastTeamId: currentTeam.id });
  return openPortal(path);
}

/** Opens the portal at a path without a session. The state is that of the entry in the history. */
export function openPortal(path: string, state: HistoryState = {}) {
  const history = createMemoryHistory();
  history.replace(path, state);
  const router = createPortalRouter(history);
  render(
    <MantineProvider theme={theme} env="test" withCssVariables={false} withGlobalClasses={false}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
    // As in the product, a failed call is shown on the screen and isn't logged.
    { onCaughtError: (thrown) => thrown instanceof Failure || console.error(thrown) },
  );
  return { user: userEvent.setup({ delay: null, pointerEventsCheck: 0 }), router };
}
