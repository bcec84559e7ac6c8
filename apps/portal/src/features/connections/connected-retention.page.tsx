import { Anchor, Button, Text } from '@mantine/core';
import type { Connection } from '@steward/contract/connections';
import { createFileRoute, Link } from '@tanstack/react-router';
import { EmptyState } from '#platform/page/empty-state.tsx';
import { Page, PageError, Skeletons } from '#platform/page/page.tsx';
import { HistoryLink } from '#workspace/audit/history-link.tsx';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import { ConnectedRules } from './connected-rules.tsx';
import { useConnections } from './connections.queries.ts';
import { OrdersSection } from './orders-section.tsx';
import { ServerChoice } from './server-choice.tsx';

interface RetentionSearch {
  connection?: string;
}

export const Route = createFileRoute('/_protected/_shell/dashboard/team_settings/connected_retention')({
  validateSearch: ({ connection }: Record<string, unknown>): RetentionSearch =>
    typeof connection === 'string' ? { connection } : {},
  component: ConnectedRetentionPage,
});

const SERVER_PAGE = '/dashboard/team_settings/connected_server';

function ConnectedRetentionPage() {
  const { id: teamId } = useCurrentTeam();
  const { connection: wanted } = Route.useSearch();
  const navigate = Route.useNavigate();
  const { data, error, refetch } = useConnections(teamId);
  const accepted = data?.records.filter(({ accepted_at }) => accepted_at > 0) ?? [];
  const connection = accepted.find(({ id }) => id === wanted) ?? accepted[0];
  return (
    <Page
      title={`Retention on ${connection?.name ?? 'a Connected Server'}`}
      description={
        <>
          Set how long messages are kept there. Whole threads are deleted, with their files, and can't be restored: the
          rule for files and the time to recover content apply to this workspace only.
        </>
      }
      actions={
        <>
          {accepted.length > 1 && connection !== undefined && (
            <ServerChoice
              all={accepted}
              chosen={connection}
              onPick={(id) => void navigate({ search: { connection: id } })}
            />
          )}
          <HistoryLink actions={['connections']} {...(connection && { target: connection.id })} />
        </>
      }
    >
      {data === undefined && error === null && <Skeletons rows={3} height={180} />}
      {data === undefined && error !== null && <PageError failure={error} onRetry={() => void refetch()} />}
      {data !== undefined && connection === undefined && <NothingAccepted />}
      {connection !== undefined && <Retention key={connection.id} connection={connection} />}
    </Page>
  );
}

function Retention({ connection }: { connection: Connection }) {
  const { id: teamId } = useCurrentTeam();
  return (
    <>
      {connection.paused && (
        <Text role="note" c="var(--warning)" fw={500}>
          Deletion is paused.{' '}
          <Anchor inherit renderRoot={(props) => <Link to={SERVER_PAGE} {...props} />}>
            Resume it under Connected Server
          </Anchor>
        </Text>
      )}
      <ConnectedRules connection={connection} />
      <OrdersSection place={{ teamId, connectionId: connection.id }} name={connection.name} />
    </>
  );
}

function NothingAccepted() {
  return (
    <EmptyState
      icon="server"
      title="This team governs no server"
      action={
        <Button variant="default" renderRoot={(props) => <Link to={SERVER_PAGE} {...props} />}>
          Open Connected Server
        </Button>
      }
    >
      Once an owner accepts a connected server and all of its messages were listed, rules for them can be saved here.
    </EmptyState>
  );
}
