import { Button, Group, Text } from '@mantine/core';
import type { InvitationLink, InvitationLinkState } from '@steward/contract/users/invitation-links';
import { useMutation, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useMemo, useRef } from 'react';
import type { Failure } from '#platform/api/failure.ts';
import { ConfirmDialog } from '#platform/dialogs/confirm-dialog.tsx';
import type { DialogControls } from '#platform/dialogs/dialog.tsx';
import { useDialogState } from '#platform/dialogs/dialog-state.ts';
import { closeWithAlert } from '#platform/feedback/alerts.tsx';
import { StateBadge, type Tone } from '#platform/feedback/state-badge.tsx';
import { RowButton } from '#platform/forms/row-button.tsx';
import { EmptyState } from '#platform/page/empty-state.tsx';
import { Icon } from '#platform/page/icon.tsx';
import { Page, PageError, Skeletons } from '#platform/page/page.tsx';
import { usePressByCommand } from '#platform/page/waiting-command.ts';
import { type PlainColumn, PlainTable } from '#platform/tables/plain-table.tsx';
import { formatDay, formatNumber } from '#platform/time/format.ts';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { HistoryLink } from '#workspace/audit/history-link.tsx';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import { AddLinkDialog } from './add-link-dialog.tsx';
import { linksQueryOptions, revoking } from './links.queries.ts';

export const Route = createFileRoute('/_protected/_shell/users/invitation_links')({ component: InvitationLinksPage });

const HISTORY = ['users.link_created', 'users.link_revoked', 'users.joined_by_link'] as const;

function InvitationLinksPage() {
  const team = useCurrentTeam();
  const { data, error, refetch } = useQuery(linksQueryOptions(team.id));
  const add = useRef<HTMLButtonElement>(null);
  const { current, open, close } = useDialogState<'add' | 'revoke', InvitationLink>('add', add);
  usePressByCommand('add invitation link', add);
  const columns = useMemo(() => [...COLUMNS, toActions((link) => open('revoke', link))], [open]);
  return (
    <Page
      title="Invitation Links"
      description={`Links and QR codes to hand out. Anyone who has one can ask to join ${team.display_name} as a Team User, and confirms their email address.`}
      actions={
        <>
          <HistoryLink actions={[...HISTORY]} />
          <Button ref={add} leftSection={<Icon name="plus" size={16} />} onClick={() => open('add')}>
            Create Link
          </Button>
        </>
      }
    >
      {data === undefined && error === null && <Skeletons rows={3} height={52} />}
      {data === undefined && error !== null && <PageError failure={error} onRetry={() => void refetch()} />}
      {data?.records.length === 0 && <NoLinks />}
      {data !== undefined && data.records.length > 0 && (
        <PlainTable label="Invitation links" columns={columns} rows={data.records} rowId={({ id }) => id} />
      )}
      {current.what === 'add' && current.time > 0 && (
        <AddLinkDialog key={current.time} team={team} opened={current.opened} onClose={close} />
      )}
      {current.what === 'revoke' && current.about !== null && (
        <RevokeLinkDialog
          key={current.time}
          teamId={team.id}
          link={current.about}
          opened={current.opened}
          onClose={close}
        />
      )}
    </Page>
  );
}

function NoLinks() {
  return (
    <EmptyState icon="link" title="No invitation links">
      Create one for people whose addresses you don’t have, such as the guests of a workshop. You choose when it ends
      and how many people can join with it.
    </EmptyState>
  );
}

const getLinkName = ({ name, created_by_name }: InvitationLink) =>
  name || `Link by ${created_by_name || 'a former member'}`;

const COLUMNS: readonly PlainColumn<InvitationLink>[] = [
  {
    id: 'name',
    header: 'Name',
    width: 'minmax(0, 2fr)',
    cell: (link) => (
      <>
        <Text span inherit fw={500}>
          <bdi>{getLinkName(link)}</bdi>
        </Text>
        {link.name !== '' && (
          <Text display="block" c="dimmed" fz="0.8125rem">
            <bdi>{link.created_by_name || 'A former member'}</bdi>
          </Text>
        )}
      </>
    ),
  },
  {
    id: 'uses',
    header: 'Joined',
    width: 'minmax(0, 1.2fr)',
    cell: ({ uses, max_uses, pending }) => (
      <>
        {formatNumber(uses)} of {formatNumber(max_uses)}
        {pending > 0 && (
          <Text display="block" c="dimmed" fz="0.8125rem">
            {formatNumber(pending)} invited
          </Text>
        )}
      </>
    ),
  },
  {
    id: 'domains',
    header: 'Email domains',
    width: 'minmax(0, 1.6fr)',
    cell: ({ domains }) => (domains.length === 0 ? 'Any' : <bdi>{domains.join(', ')}</bdi>),
  },
  {
    id: 'ends',
    header: 'Ends',
    width: 'minmax(0, 1.6fr)',
    cell: ({ expires_at, members_end_on }) => (
      <>
        <Timestamp at={expires_at} />
        {members_end_on !== null && (
          <Text display="block" c="dimmed" fz="0.8125rem">
            Members until {formatDay(members_end_on)}
          </Text>
        )}
      </>
    ),
  },
  { id: 'state', header: 'State', width: 'minmax(0, 1.6fr)', cell: ({ state }) => <State state={state} /> },
];

const STATES: Record<InvitationLinkState, { word: string; tone: Tone }> = {
  open: { word: 'Open', tone: 'success' },
  stopped: { word: 'Stopped', tone: 'danger' },
  used_up: { word: 'Used up', tone: 'quiet' },
  expired: { word: 'Expired', tone: 'quiet' },
  revoked: { word: 'Revoked', tone: 'quiet' },
};

function State({ state }: { state: InvitationLinkState }) {
  return (
    <>
      <StateBadge {...STATES[state]} />
      {state === 'stopped' && (
        <Text display="block" c="dimmed" fz="0.8125rem">
          Its creator isn’t an admin anymore
        </Text>
      )}
    </>
  );
}

/** Links that ended can't be revoked. */
function toActions(onRevoke: (link: InvitationLink) => void): PlainColumn<InvitationLink> {
  return {
    id: 'actions',
    header: 'ACTIONS',
    width: '7.5rem',
    cell: (link) =>
      (link.state === 'open' || link.state === 'stopped') && (
        <Group gap={8} wrap="nowrap">
          <RowButton aria-label={`Revoke ${getLinkName(link)}`} onClick={() => onRevoke(link)}>
            Revoke
          </RowButton>
        </Group>
      ),
  };
}

interface RevokeLinkDialogProps extends DialogControls {
  teamId: string;
  link: InvitationLink;
}

function RevokeLinkDialog({ teamId, link, opened, onClose }: RevokeLinkDialogProps) {
  const revoke = useMutation(revoking);
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title="Revoke Link"
      question="Revoke this invitation link?"
      detail={
        <>
          <strong>
            <bdi>{getLinkName(link)}</bdi>
          </strong>{' '}
          will stop working immediately{describePending(link)}. People who joined stay. This can’t be undone.
        </>
      }
      confirmLabel="Revoke"
      danger
      pending={revoke.isPending}
      onConfirm={() =>
        revoke.mutate({ params: { teamId, linkId: link.id } }, closeWithAlert('Link revoked', onClose, getText))
      }
    />
  );
}

function describePending({ pending }: InvitationLink): string {
  if (pending === 0) return '';
  const invitations = pending === 1 ? 'the invitation' : `the ${formatNumber(pending)} invitations`;
  return `, and ${invitations} it led to ${pending === 1 ? 'is' : 'are'} canceled`;
}

function getText({ id, message }: Failure): string {
  return id === 'record.not_found' ? 'Someone else already revoked this link.' : message;
}
