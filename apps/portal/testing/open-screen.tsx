import { MantineProvider } from '@mantine/core';
import { listStatuses } from '@steward/contract/session';
import { listTeamMembers, listTeams } from '@steward/contract/session/teams';
import type { User } from '@steward/contract/users';
import type { Role } from '@steward/contract/users/roles';
import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { createPortalRouter } from '#app/portal.tsx';
import { theme } from '#app/theme/theme.ts';
import { queryClient } from '#platform/api/query-client.ts';
import { setSession } from '#workspace/session/session-state.ts';
import { answer } from './fake-server.ts';

export const TEAM = { id: 't'.repeat(26), display_name: 'Northwind' };

export const OLIVIA: User = {
  ...{ id: 'o'.repeat(26), first_name: 'Olivia', last_name: 'Owner', email: 'olivia@example.test' },
  ...{ status: 'online', type: 2, roles: ['team_owner', 'team_admin', 'team_user'], account_type: 2, apps: {} },
  ...{ last_picture_update: 0, create_at: 1, update_at: 1, delete_at: 0 },
};

/** Opens the portal at a path, signed in as Olivia, who has these roles in the team Northwind. */
export function openScreen(path: string, roles: readonly Role[] = ['team_owner', 'team_admin', 'team_user']) {
  answer(listStatuses, []);
  answer(listTeams, [{ ...TEAM, create_at: 1, time_zone: 'Europe/Berlin' }]);
  answer(listTeamMembers, [{ team_id: TEAM.id, id: OLIVIA.id, display_name: TEAM.display_name, roles: [...roles] }]);
  const team = { ...TEAM, roles };
  setSession({ user: OLIVIA, teams: [team], currentTeam: team, lastTeamId: team.id });
  return openSignedOut(path);
}

/** Opens the portal at a path without a session. */
export function openSignedOut(path: string) {
  const router = createPortalRouter(createMemoryHistory({ initialEntries: [path] }));
  render(
    <MantineProvider theme={theme} env="test" withCssVariables={false} withGlobalClasses={false}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  return { user: userEvent.setup({ delay: null, pointerEventsCheck: 0 }), router };
}
