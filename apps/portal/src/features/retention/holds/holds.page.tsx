import { Button, Stack } from '@mantine/core';
import type { Hold } from '@steward/contract/retention/holds';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { type RefObject, Suspense, useRef } from 'react';
import { type DialogState, useDialogState } from '#platform/dialogs/dialog-state.ts';
import { StateBadge } from '#platform/feedback/state-badge.tsx';
import { lazyComponent } from '#platform/lazy-component.ts';
import { EmptyState } from '#platform/page/empty-state.tsx';
import { Quiet } from '#platform/page/facts.tsx';
import { Icon } from '#platform/page/icon.tsx';
import { Page, PageError } from '#platform/page/page.tsx';
import { usePressByCommand } from '#platform/page/waiting-command.ts';
import { ResponsiveTable, TableSkeleton } from '#platform/tables/responsive-table.tsx';
import { HistoryLink } from '#workspace/audit/history-link.tsx';
import { holdsQueryOptions } from '#workspace/holds/holds.queries.ts';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import { type HoldAction, useHoldColumns } from './hold-columns.tsx';
import { describeScope, getHoldState } from './hold-text.ts';

// The dialogs are loaded on demand.
const HoldDialog = lazyComponent(async () => (await import('./hold-dialog.tsx')).HoldDialog);
const ReasonDialog = lazyComponent(async () => (await import('./reason-dialog.tsx')).ReasonDialog);

export const Route = createFileRoute('/_protected/_shell/dashboard/team_settings/holds')({ component: HoldsPage });

function HoldsPage() {
  const team = useCurrentTeam();
  const { data, error, refetch } = useQuery(holdsQueryOptions(team.id));
  const add = useRef<HTMLButtonElement>(null);
  const dialog = useDialogState<HoldAction | 'add', Hold>('add', add);
  const columns = useHoldColumns(dialog.open, team.roles.includes('team_owner'));
  return (
    <Page
      title="Legal Holds"
      description="A hold keeps content from every retention rule until an owner releases it."
      actions={
        <>
          <HistoryLink actions={['holds']} />
          <AddButton dialog={dialog} add={add} />
        </>
      }
    >
      {data === undefined && error === null && <TableSkeleton rows={3} />}
      {data === undefined && error !== null && <PageError failure={error} onRetry={() => void refetch()} />}
      {data?.records.length === 0 && (
        <EmptyState icon="hold" title="No legal holds">
          Create one to keep content for a dispute or an investigation, whatever the retention rules say.
        </EmptyState>
      )}
      {data !== undefined && data.records.length > 0 && (
        <ResponsiveTable
          label="Legal holds"
          columns={columns}
          rows={data.records}
          rowId={({ id }) => id}
          summary={(hold) => <Summary hold={hold} />}
        />
      )}
      <Dialogs dialog={dialog} />
    </Page>
  );
}

interface DialogProps {
  dialog: DialogState<HoldAction | 'add', Hold>;
}

function AddButton({ dialog, add }: DialogProps & { add: RefObject<HTMLButtonElement | null> }) {
  usePressByCommand('create hold', add);
  return (
    <Button ref={add} leftSection={<Icon name="plus" size={16} />} onClick={() => dialog.open('add')}>
      Create Hold
    </Button>
  );
}

function Dialogs({ dialog: { current, close } }: DialogProps) {
  const { what, about, opened, time } = current;
  if (time === 0) return null;
  const props = { opened, onClose: close };
  return (
    <Suspense fallback={null}>
      {(what === 'add' || what === 'edit') && (
        <HoldDialog key={time} hold={what === 'edit' ? (about ?? undefined) : undefined} {...props} />
      )}
      {(what === 'release' || what === 'export') && about !== null && (
        <ReasonDialog key={time} what={what} hold={about} {...props} />
      )}
    </Suspense>
  );
}

/** A narrow screen has two lines per hold. */
function Summary({ hold }: { hold: Hold }) {
  return (
    <>
      <Stack gap={0} miw={0}>
        <bdi>{hold.name}</bdi>
        <Quiet>
          <bdi>{describeScope(hold).join(' · ')}</bdi>
        </Quiet>
      </Stack>
      <StateBadge {...getHoldState(hold)} />
    </>
  );
}
