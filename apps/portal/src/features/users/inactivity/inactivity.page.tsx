import { Alert, List, Text } from '@mantine/core';
import type { Inactivity } from '@steward/contract/users/inactivity';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { EmptyState } from '#platform/page/empty-state.tsx';
import { Page, PageError, Skeletons } from '#platform/page/page.tsx';
import { formatNumber } from '#platform/time/format.ts';
import { HistoryLink } from '#workspace/audit/history-link.tsx';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import { ExceptionsSection } from './exceptions-section.tsx';
import { inactivityQueryOptions } from './inactivity.queries.ts';
import { LastNight, NightsSection } from './nights-section.tsx';
import { RuleForm } from './rule-form.tsx';

export const Route = createFileRoute('/_protected/_shell/users/inactivity')({ component: InactivityPage });

const TITLE = 'Inactivity';
const HISTORY = [
  'users.inactivity_saved',
  'users.inactivity_night',
  'users.inactivity_confirmed',
  'users.inactivity_undone',
  'users.inactivity_excepted',
  'users.inactivity_exception_ended',
  'users.inactive_deactivated',
  'users.still_needed',
] as const;

function InactivityPage() {
  const { id, roles } = useCurrentTeam();
  return roles.includes('team_owner') ? <OwnerPage teamId={id} /> : <AdminPage />;
}

/** Other admins can't call the endpoints of this screen. */
function AdminPage() {
  return (
    <Page title={TITLE} actions={<HistoryLink actions={HISTORY} />}>
      <EmptyState icon="clock" title="Only owners can change the inactivity rule">
        An owner decides after how many days without activity members are warned and then deactivated.
      </EmptyState>
    </Page>
  );
}

function OwnerPage({ teamId }: { teamId: string }) {
  const { data, error, refetch } = useQuery(inactivityQueryOptions(teamId));
  return (
    <Page
      title={TITLE}
      description="Members without activity for a long time are warned by email, and deactivated 14 days later."
      actions={<HistoryLink actions={HISTORY} />}
    >
      {data === undefined && error === null && <Skeletons rows={3} height={168} />}
      {data === undefined && error !== null && <PageError failure={error} onRetry={() => void refetch()} />}
      {data !== undefined && <Sections teamId={teamId} data={data} />}
    </Page>
  );
}

function Sections({ teamId, data }: { teamId: string; data: Inactivity }) {
  const [last] = data.nights;
  return (
    <>
      {data.rule.is_on && last !== undefined && <LastNight teamId={teamId} night={last} />}
      {data.rule.is_on && data.warned > 0 && (
        <Text>
          {data.warned === 1 ? '1 member was warned' : `${formatNumber(data.warned)} members were warned`} and can still
          answer.
        </Text>
      )}
      {data.undelivered.length > 0 && <Undelivered members={data.undelivered} />}
      <RuleForm teamId={teamId} stored={data} />
      <ExceptionsSection teamId={teamId} exceptions={data.exceptions} />
      <NightsSection teamId={teamId} nights={data.nights} />
    </>
  );
}

function Undelivered({ members }: { members: Inactivity['undelivered'] }) {
  return (
    <Alert color="yellow" variant="light" title="Warnings that could not be delivered">
      <Text inherit mb={8}>
        These members stay active, and are warned again 14 days later. Correct their address, or deactivate them
        yourself.
      </Text>
      <List size="sm" spacing={4}>
        {members.map(({ id, name, email, error }) => (
          <List.Item key={id} style={{ overflowWrap: 'anywhere' }}>
            <bdi>{name === email ? email : `${name} (${email})`}</bdi>: {error}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
