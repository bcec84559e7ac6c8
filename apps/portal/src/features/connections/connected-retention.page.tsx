import { Anchor, Text } from '@mantine/core';
import type { Connection } from '@steward/contract/connections';
import { createFileRoute, Link } from '@tanstack/react-router';
import { Skeletons } from '#platform/page/page.tsx';
import { HistoryLink } from '#workspace/audit/history-link.tsx';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import { ConnectedPage, NothingAccepted, ServerChoice } from './connected-page.tsx';
import { ConnectedRules } from './connected-rules.tsx';
import { OrdersSection } from './orders-section.tsx';

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
  const { connection: wanted } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <ConnectedPage
      title="Retention"
      description={
        <>
          Set how long messages are kept there. Whole threads are deleted, with their files, and can't be restored: the
          rule for files and the time to recover content apply to this workspace only.
        </>
      }
      wanted={wanted}
      actions={(accepted, chosen) => (
        <>
          <ServerChoice all={accepted} chosen={chosen} onPick={(id) => void navigate({ search: { connection: id } })} />
          <HistoryLink actions={['connections']} {...(chosen && { target: chosen.id })} />
        </>
      )}
      loading={<Skeletons rows={3} height={180} />}
      nothing={
        <NothingAccepted to={SERVER_PAGE} link="Open Connected Server">
          Once an owner accepts a connected server and all of its messages were listed, rules for them can be saved
          here.
        </NothingAccepted>
      }
    >
      {(connection) => <Retention key={connection.id} connection={connection} />}
    </ConnectedPage>
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
