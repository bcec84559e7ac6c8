import type { FormerUser } from '@steward/contract/users/privacy';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { type ReactNode, useId, useRef } from 'react';
import type { Failure } from '#platform/api/failure.ts';
import { useDialogState } from '#platform/dialogs/dialog-state.ts';
import { EmptyState } from '#platform/page/empty-state.tsx';
import { Page, PageError, Skeletons } from '#platform/page/page.tsx';
import { HistoryLink } from '#workspace/audit/history-link.tsx';
import { useCurrentTeam } from '#workspace/teams/current-team.ts';
import { EraseDialog } from './erase-dialog.tsx';
import { ExportDialog } from './export-dialog.tsx';
import classes from './privacy.module.css';
import { erasedUsersQueryOptions, exportsQueryOptions, formerUsersQueryOptions } from './privacy.queries.ts';
import { ErasedTable, ExportsTable, FormerTable } from './privacy-tables.tsx';

export const Route = createFileRoute('/_protected/_shell/users/privacy_requests')({ component: PrivacyPage });

const TITLE = 'Privacy Requests';
const ACTIONS = ['users.exported', 'users.erased'] as const;

function PrivacyPage() {
  const { id, roles } = useCurrentTeam();
  return roles.includes('team_owner') ? <OwnerPage teamId={id} /> : <AdminPage />;
}

/** Other admins can't call what the screen shows. */
function AdminPage() {
  return (
    <Page title={TITLE} actions={<HistoryLink actions={ACTIONS} />}>
      <EmptyState icon="privacy" title="Only owners can answer privacy requests">
        When someone asks for their data, or to be erased after they left, an owner of the team can export what is
        stored about them and erase it. Everyone can export their own data under My account.
      </EmptyState>
    </Page>
  );
}

function OwnerPage({ teamId }: { teamId: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { current, open, close } = useDialogState<'export' | 'erase', FormerUser>('export', heading);
  const { what, about: user, opened, time } = current;
  const exports = useQuery(exportsQueryOptions(teamId));
  const former = useQuery(formerUsersQueryOptions(teamId));
  const erased = useQuery(erasedUsersQueryOptions(teamId));
  return (
    <Page
      title={TITLE}
      description="Export what the team stores about a user, or erase it after they left. For users in the team, use the menu of their row in Manage Users."
      actions={<HistoryLink actions={ACTIONS} />}
    >
      <Section title="Exports" list={exports} empty="Exports you requested are listed here for seven days.">
        {(records) => <ExportsTable records={records} />}
      </Section>
      <Section
        title="Former users"
        heading={heading}
        list={former}
        empty="Users who leave the team or are removed are listed here until they are erased."
      >
        {(records) => <FormerTable records={records} onAction={open} />}
      </Section>
      <Section title="Erased users" list={erased} empty="No one has been erased.">
        {(records) => <ErasedTable records={records} />}
      </Section>
      {user !== null && what === 'export' && <ExportDialog key={time} user={user} opened={opened} onClose={close} />}
      {user !== null && what === 'erase' && <EraseDialog key={time} user={user} opened={opened} onClose={close} />}
    </Page>
  );
}

interface SectionProps<Row> {
  title: string;
  /** Gets the focus when the row that opened a dialog is gone. */
  heading?: React.RefObject<HTMLHeadingElement | null>;
  list: { data: { records: Row[] } | undefined; error: Failure | null; refetch: () => unknown };
  empty: string;
  children: (records: readonly Row[]) => ReactNode;
}

function Section<Row>({ title, heading, list: { data, error, refetch }, empty, children }: SectionProps<Row>) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={classes.section}>
      <h2 id={id} ref={heading} tabIndex={heading && -1} className={classes.heading}>
        {title}
      </h2>
      {data === undefined && error === null && <Skeletons rows={2} height={52} />}
      {data === undefined && error !== null && <PageError failure={error} onRetry={() => void refetch()} />}
      {data?.records.length === 0 && <p className={classes.empty}>{empty}</p>}
      {data !== undefined && data.records.length > 0 && children(data.records)}
    </section>
  );
}
