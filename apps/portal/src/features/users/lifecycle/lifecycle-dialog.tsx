import { Box } from '@mantine/core';
import type { ListedUser } from '@steward/contract/users';
import { fullName } from '@steward/contract/users/names';
import { getUser } from '@steward/contract/users/panel';
import { isOwnerOfTeam } from '@steward/contract/users/roles';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { queryOptionsFor } from '#platform/api/queries.ts';
import { ConfirmDialog } from '#platform/dialogs/confirm-dialog.tsx';
import type { DialogControls } from '#platform/dialogs/dialog.tsx';
import { showAlert, showFailure } from '#platform/feedback/alerts.tsx';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import { EndDateField, toEndDate } from '../end-date-field.tsx';
import { Named } from '../user-name.tsx';
import { useLifecycleAction } from './lifecycle.queries.ts';
import { type LifecycleAction, REVERSE } from './lifecycle-actions.ts';

interface LifecycleDialogProps extends DialogControls {
  action: LifecycleAction;
  user: ListedUser;
}

interface Texts {
  title: string;
  question: string;
  confirmLabel: string;
  done: (name: string) => string;
  danger?: true;
}

const TEXTS: Record<LifecycleAction, Texts> = {
  make_admin: {
    title: 'Make admin',
    question: 'Make this user a team admin?',
    confirmLabel: 'Make admin',
    done: (name) => `${name} is now an admin`,
  },
  make_user: {
    title: 'Make user',
    question: 'Remove admin rights from this user?',
    confirmLabel: 'Make user',
    done: (name) => `${name} is no longer an admin`,
    danger: true,
  },
  make_owner: {
    title: 'Make owner',
    question: 'Make this user an owner of the team?',
    confirmLabel: 'Make owner',
    done: (name) => `${name} is now an owner`,
  },
  remove_owner: {
    title: 'Remove as owner',
    question: 'Make this owner an admin?',
    confirmLabel: 'Remove as owner',
    done: (name) => `${name} is no longer an owner`,
    danger: true,
  },
  deactivate: {
    title: 'Deactivate user',
    question: 'Deactivate this user?',
    confirmLabel: 'Deactivate',
    done: (name) => `${name} was deactivated`,
    danger: true,
  },
  reactivate: {
    title: 'Reactivate user',
    question: 'Give this user access to the team again?',
    confirmLabel: 'Reactivate',
    done: (name) => `${name} was reactivated`,
  },
  remove: {
    title: 'Remove from team',
    question: 'Remove this user from the team?',
    confirmLabel: 'Remove',
    done: (name) => `${name} was removed from the team`,
    danger: true,
  },
};

/** The alert after the change offers the reverse action. */
export function LifecycleDialog({ action, user, opened, onClose }: LifecycleDialogProps) {
  const { title, question, confirmLabel, danger = false } = TEXTS[action];
  const change = useChange(onClose);
  const [endsOn, setEndsOn] = useState(getKeptEnd(user));
  const asksForEnd = action === 'reactivate' && !isOwnerOfTeam(user.roles);
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={title}
      question={question}
      detail={<Detail action={action} user={user} opened={opened} />}
      confirmLabel={confirmLabel}
      danger={danger}
      pending={change.isPending}
      onConfirm={() => change.run({ action, user, ...(asksForEnd && { endsOn: toEndDate(endsOn) }) })}
    >
      {asksForEnd && (
        <Box mt={16}>
          <EndDateField value={endsOn} onChange={setEndsOn} />
        </Box>
      )}
    </ConfirmDialog>
  );
}

const DAY_MS = 86_400_000;

/** A date that has passed isn't offered again. */
function getKeptEnd({ ends_on }: ListedUser): string {
  return ends_on !== null && Date.parse(ends_on) + DAY_MS > Date.now() ? ends_on : '';
}

function useChange(onClose: () => void) {
  const { mutate, isPending } = useLifecycleAction();
  const run = (changing: Parameters<typeof mutate>[0]) =>
    mutate(changing, {
      onSuccess: () => {
        const { action, user } = changing;
        const reverse = REVERSE[action];
        const undo = reverse && { label: 'Undo', run: () => run({ action: reverse, user }) };
        showAlert({ kind: 'success', text: TEXTS[action].done(fullName(user)), ...(undo && { action: undo }) });
      },
      onError: showFailure,
      onSettled: onClose,
    });
  return { run, isPending };
}

function Detail({ action, user, opened }: { action: LifecycleAction; user: ListedUser; opened: boolean }) {
  const { display_name: team } = useCurrentTeam();
  const name = <Named user={user} />;
  const details: Record<LifecycleAction, ReactNode> = {
    make_admin: (
      <>
        {name} will be able to manage users, retention rules, channels and integrations of {team}.
      </>
    ),
    make_user: (
      <>
        {name} will no longer be able to manage {team}. Service tokens they created stop working.
      </>
    ),
    make_owner: <>{name} will be able to do everything you can, including removing other owners.</>,
    remove_owner: (
      <>
        {name} stays an admin of {team}.
      </>
    ),
    deactivate: (
      <>
        {name} will lose access to {team} at once. <EndedText user={user} opened={opened} /> Their content, roles and
        channels stay, and you can reactivate them at any time.
      </>
    ),
    reactivate: <>{name} will have the same roles and channels as before. They have to sign in again.</>,
    remove: (
      <>
        {name} will lose access to {team} and leave its channels. <EndedText user={user} opened={opened} /> Their
        content stays. To come back, they have to be invited again.
      </>
    ),
  };
  return details[action];
}

/** Numbers are shown where they are known. */
function EndedText({ user, opened }: { user: ListedUser; opened: boolean }) {
  const { id: teamId } = useCurrentTeam();
  const isActive = user.state === 'active';
  const params = { teamId, userId: user.id };
  const { data } = useQuery({ ...queryOptionsFor(getUser, { params }), enabled: opened && isActive, staleTime: 0 });
  if (!isActive) return null;
  if (data === undefined) return <>Their sessions, password reset links and service tokens will end.</>;
  const { sessions, links, tokens } = data;
  const ending = [
    formatCount(sessions, 'session'),
    ...(links > 0 ? [formatCount(links, 'password reset link')] : []),
    ...(tokens > 0 ? [formatCount(tokens, 'service token')] : []),
  ];
  return <>{ending.join(', ')} will end.</>;
}

function formatCount(count: number, noun: string): string {
  return `${count.toLocaleString()} ${noun}${count === 1 ? '' : 's'}`;
}
