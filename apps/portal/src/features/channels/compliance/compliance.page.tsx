import { Button } from '@mantine/core';
import type { ComplianceAccess } from '@steward/contract/channels/compliance';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useRef } from 'react';
import { useDialogState } from '#platform/dialogs/dialog-state.ts';
import { EmptyState } from '#platform/page/empty-state.tsx';
import { Icon } from '#platform/page/icon.tsx';
import { Page, PageError, Skeletons } from '#platform/page/page.tsx';
import { HistoryLink } from '#workspace/audit/history-link.tsx';
import { useCurrentTeam } from '#workspace/teams/current-team.ts';
import { AccessTable } from './access-table.tsx';
import { accessQueryOptions } from './compliance.queries.ts';
import { EndAccessDialog } from './end-access-dialog.tsx';
import { GrantDialog } from './grant-dialog.tsx';

export const Route = createFileRoute('/_protected/_shell/compliance_access')({ component: CompliancePage });

const TITLE = 'Compliance Access';
const ACTIONS = [
  'channels.compliance_granted',
  'channels.compliance_ended',
  'channels.compliance_read',
] as const satisfies readonly string[];

function CompliancePage() {
  const { id, roles } = useCurrentTeam();
  return roles.includes('team_owner') ? <OwnerPage teamId={id} /> : <AdminPage />;
}

/** Other admins can't call what the screen shows. */
function AdminPage() {
  return (
    <Page title={TITLE} actions={<HistoryLink actions={ACTIONS} />}>
      <EmptyState icon="lock" title="Only owners can grant compliance access">
        Private and direct channels are closed to admins who aren’t members. When a complaint or the law requires it, an
        owner can let someone read one for up to 24 hours. Members of the channel see it, and everything that is read is
        recorded in the audit log.
      </EmptyState>
    </Page>
  );
}

function OwnerPage({ teamId }: { teamId: string }) {
  const { data, error, refetch } = useQuery(accessQueryOptions(teamId));
  const grant = useRef<HTMLButtonElement>(null);
  const { current, open, close } = useDialogState<'grant' | 'end', ComplianceAccess>('grant', grant);
  return (
    <Page
      title={TITLE}
      description="Who may read a private or direct channel for a limited time without being a member. Members of the channel see it."
      actions={
        <>
          <HistoryLink actions={ACTIONS} />
          <Button ref={grant} leftSection={<Icon name="plus" size={16} />} onClick={() => open('grant')}>
            Grant Access
          </Button>
        </>
      }
    >
      {data === undefined && error === null && <Skeletons rows={3} height={52} />}
      {data === undefined && error !== null && <PageError failure={error} onRetry={() => void refetch()} />}
      {data?.records.length === 0 && <NoAccess />}
      {data !== undefined && data.records.length > 0 && (
        <AccessTable records={data.records} onEnd={(access) => open('end', access)} />
      )}
      {current.what === 'grant' && current.time > 0 && (
        <GrantDialog key={current.time} teamId={teamId} opened={current.opened} onClose={close} />
      )}
      {current.what === 'end' && current.about !== null && (
        <EndAccessDialog
          key={current.time}
          teamId={teamId}
          access={current.about}
          opened={current.opened}
          onClose={close}
        />
      )}
    </Page>
  );
}

function NoAccess() {
  return (
    <EmptyState icon="lock" title="No one has compliance access">
      Private and direct channels are open to their members only. When a complaint or the law requires it, you can let
      someone read one for up to 24 hours.
    </EmptyState>
  );
}
