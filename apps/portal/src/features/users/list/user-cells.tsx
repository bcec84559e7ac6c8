import type { ListedUser, User, UserAction } from '@steward/contract/users';
import { fullName } from '@steward/contract/users/names';
import { type AccountKind, accountKind } from '@steward/contract/users/roles';
import { type MouseEvent, useMemo } from 'react';
import { StateBadge, type Tone } from '#platform/feedback/state-badge.tsx';
import { type Column, SkeletonBar } from '#platform/tables/data-table.tsx';
import { formatDay } from '#platform/time/format.ts';
import { TimeAgo } from '#platform/time/timestamp.tsx';
import { useSignedInUser } from '#workspace/session/session-state.ts';
import { UserAvatar } from '#workspace/users/user-avatar.tsx';
import { UserActions } from '../actions/user-actions.tsx';
import { SelectableName, SelectLoaded } from '../bulk/select-boxes.tsx';
import type { SelectionStore } from '../bulk/use-selection.ts';
import classes from './user-cells.module.css';

interface NameCellProps {
  user: User;
  isSelf: boolean;
  onOpen: (user: User) => void;
}

/**
 * The cell has few elements and hardly any flex containers, because scrolling lays out dozens of rows per frame. Names
 * are untrusted text: they are isolated and cut to one line.
 */
function NameCell({ user, isSelf, onOpen }: NameCellProps) {
  const name = fullName(user);
  const open = (event: MouseEvent) => {
    // The browser opens new tabs and windows itself.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onOpen(user);
  };
  const link = (
    <a className={classes.link} href={`/users/users/${user.id}`} data-person={user.id} onClick={open}>
      <bdi className={classes.name} title={name}>
        {name}
      </bdi>
    </a>
  );
  return (
    <>
      <UserAvatar user={user} size={32} />
      <div className={classes.words} data-off={user.delete_at > 0 || undefined}>
        {isSelf ? (
          <div className={classes.line}>
            {link}
            <StateBadge tone="quiet" word="You" />
          </div>
        ) : (
          link
        )}
        <bdi className={classes.email} title={user.email}>
          {name === user.email ? 'No name yet' : user.email}
        </bdi>
      </div>
    </>
  );
}

const TONES: Partial<Record<AccountKind, Tone>> = {
  'Team Owner': 'active',
  'Team Admin': 'info',
  'Pending Invitee': 'warning',
  Zendesk: 'success',
};

export function KindCell({ user }: { user: User }) {
  const kind = accountKind(user);
  return <StateBadge tone={TONES[kind] ?? 'quiet'} word={kind} />;
}

/** The state is a word and a dot, so that color is never the only signal. */
export function StatusCell({ user }: { user: Pick<ListedUser, 'state' | 'invitation' | 'ends_on'> }) {
  const isHeldBack = user.state === 'invited' && user.invitation === 'limited';
  const words = { active: 'Active', invited: 'Invited', deactivated: 'Deactivated' };
  const text = isHeldBack ? 'Not sent: limit reached' : words[user.state];
  return (
    <div className={classes.states}>
      <span className={classes.status} data-state={isHeldBack ? 'limited' : user.state} title={text}>
        {text}
      </span>
      {user.ends_on !== null && <EndDay state={user.state} day={user.ends_on} />}
    </div>
  );
}

/** Someone who was deactivated before has no end to show. */
function EndDay({ state, day }: { state: ListedUser['state']; day: string }) {
  const isOver = state === 'deactivated';
  if (isOver && Date.parse(day) > Date.now()) return null;
  return (
    <span className={classes.end}>
      {isOver ? 'Ended' : 'Until'} {formatDay(day)}
    </span>
  );
}

/** An invited user can't have been active. */
export function LastActive({ user }: { user: Pick<ListedUser, 'state' | 'last_active_at'> }) {
  if (user.state === 'invited') return <span className={classes.never}>–</span>;
  if (user.last_active_at === null) return <span className={classes.never}>Never</span>;
  return <TimeAgo at={user.last_active_at} className={classes.when} />;
}

function NameSkeleton() {
  return (
    <div className={classes.user}>
      <span className={classes.blank} />
      <div className={classes.words}>
        <SkeletonBar width="9rem" />
        <SkeletonBar width="13rem" height="0.625rem" />
      </div>
    </div>
  );
}

interface UserColumnsOptions {
  selection: SelectionStore;
  onAction: (action: UserAction, user: ListedUser) => void;
  onOpen: (user: User) => void;
}

/** On a phone, a card has only name, status and menu. */
export function useUserColumns({ selection, onAction, onOpen }: UserColumnsOptions): readonly Column<ListedUser>[] {
  const { id } = useSignedInUser();
  return useMemo(
    () => [
      {
        id: 'name',
        header: 'Name',
        width: 'minmax(0, 5fr)',
        sort: 'name',
        headerBefore: <SelectLoaded store={selection} />,
        cell: (user) => (
          <SelectableName store={selection} user={user}>
            <NameCell user={user} isSelf={user.id === id} onOpen={onOpen} />
          </SelectableName>
        ),
        skeleton: <NameSkeleton />,
      },
      {
        id: 'kind',
        header: 'Account Type',
        width: 'minmax(0, 2fr)',
        isWideOnly: true,
        cell: (user) => <KindCell user={user} />,
        skeleton: <SkeletonBar width="5.5rem" height="1.375rem" />,
      },
      {
        id: 'status',
        header: 'Status',
        width: 'minmax(0, 2fr)',
        cell: (user) => <StatusCell user={user} />,
        skeleton: <SkeletonBar width="4rem" />,
      },
      {
        id: 'last-active',
        header: 'Last active',
        width: 'minmax(0, 2fr)',
        sort: 'last_active',
        isWideOnly: true,
        cell: (user) => <LastActive user={user} />,
        skeleton: <SkeletonBar width="5rem" />,
      },
      {
        id: 'actions',
        header: 'Actions',
        headerHidden: true,
        width: '2.25rem',
        cell: (user) => <UserActions user={user} onAction={onAction} />,
      },
    ],
    [id, selection, onAction, onOpen],
  );
}
