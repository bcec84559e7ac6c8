import { Box, Button, Drawer, Group, Text } from '@mantine/core';
import type { ListedUser, UserAction } from '@steward/contract/users';
import { fullName } from '@steward/contract/users/names';
import type { UserDetails } from '@steward/contract/users/panel';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useDialogState } from '#platform/dialogs/dialog-state.ts';
import { useOpenAfterMount } from '#platform/dialogs/open-state.ts';
import { showAlert, showSuccess } from '#platform/feedback/alerts.tsx';
import { EmptyState } from '#platform/page/empty-state.tsx';
import { Icon } from '#platform/page/icon.tsx';
import { PageError, Skeletons } from '#platform/page/page.tsx';
import { useTitle } from '#platform/page/use-title.ts';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import { UserAvatar } from '#workspace/users/user-avatar.tsx';
import { ACTION_ICONS, getMenu, NO_ACTIONS } from '../actions/actions.rules.ts';
import { type DialogName, UserDialogs } from '../actions/user-dialogs.tsx';
import { KindCell, StatusCell } from '../list/user-cells.tsx';
import type { Holder } from '../sessions/sessions.queries.ts';
import classes from './panel.module.css';
import { refreshPanel, userQueryOptions } from './panel.queries.ts';
import { PanelSections } from './panel-sections.tsx';

interface UserPanelProps {
  userId: string;
  onClose: () => void;
}

const DURATION_MS = 120;

export function UserPanel({ userId, onClose }: UserPanelProps) {
  const { id: teamId } = useCurrentTeam();
  const holder = { teamId, userId };
  const { data, error, refetch } = useQuery(userQueryOptions(holder));
  const [isClosing, setClosing] = useState(false);
  const name = data === undefined ? 'User' : fullName(data);
  const close = () => {
    // Escape in a dialog above closes only that dialog.
    if (document.querySelectorAll('[role="dialog"]').length <= 1) setClosing(true);
  };
  useTitle(`${name} · Manage Users`);
  return (
    <Drawer.Root
      opened={useOpenAfterMount(!isClosing)}
      onClose={close}
      onExitTransitionEnd={onClose}
      position="right"
      size={480}
      padding={0}
      returnFocus={false}
      transitionProps={{ duration: DURATION_MS }}
    >
      <Drawer.Overlay backgroundOpacity={0.3} />
      <Drawer.Content bg="var(--surface-raised)" aria-label={name} data-panel>
        <Drawer.Body p={0}>
          {data !== undefined && error === null ? (
            <UserPanelContent holder={holder} user={data} />
          ) : (
            <Waiting isUnknown={error?.id === 'record.not_found'} failure={error} onRetry={() => void refetch()} />
          )}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

interface WaitingProps {
  isUnknown: boolean;
  failure: unknown;
  onRetry: () => void;
}

function Waiting({ isUnknown, failure, onRetry }: WaitingProps) {
  return (
    <div style={{ padding: 24 }}>
      <Drawer.CloseButton aria-label="Close panel" size={36} style={{ marginInlineStart: 'auto' }} />
      {isUnknown ? (
        <EmptyState icon="people" title="User not found">
          This user isn't in the team, or no longer.
        </EmptyState>
      ) : failure !== null ? (
        <PageError failure={failure} onRetry={onRetry} />
      ) : (
        <Skeletons rows={6} height={40} />
      )}
    </div>
  );
}

interface UserPanelContentProps {
  holder: Holder;
  user: UserDetails;
}

function UserPanelContent({ holder, user }: UserPanelContentProps) {
  const first = useRef<HTMLButtonElement>(null);
  const dialogs = useDialogState<DialogName, ListedUser>('edit', first);
  const client = useQueryClient();
  const { opened, time } = dialogs.current;
  // Each dialog ends with a response, or with a refusal that means that someone else was faster.
  useEffect(() => {
    if (!opened && time > 0) refreshPanel(client);
  }, [opened, time, client]);
  return (
    <>
      <div className={classes.head}>
        <UserAvatar user={user} size={48} />
        <Box flex={1} miw={0}>
          <Drawer.Title component="h2" fz="lg" fw={600} lh={1.3} style={{ overflowWrap: 'anywhere' }}>
            <bdi>{fullName(user)}</bdi>
          </Drawer.Title>
          <Address email={user.email} />
          <Group gap={12} mt={8}>
            <KindCell user={user} />
            <StatusCell user={user} />
          </Group>
        </Box>
        <Drawer.CloseButton ref={first} data-autofocus aria-label="Close panel" size={36} />
      </div>
      <Actions user={user} onAction={(action) => dialogs.open(action, user)} />
      <PanelSections holder={holder} user={user} />
      <UserDialogs {...dialogs} />
    </>
  );
}

function Address({ email }: { email: string }) {
  const copy = () =>
    navigator.clipboard.writeText(email).then(
      () => showSuccess('Email address copied'),
      () => showAlert({ kind: 'error', text: "Couldn't copy the email address" }),
    );
  return (
    <Group gap={4} wrap="nowrap">
      <Text component="bdi" c="dimmed" fz={13} truncate title={email}>
        {email}
      </Text>
      <Button
        size="compact-xs"
        mih={24}
        variant="subtle"
        color="gray"
        flex="none"
        aria-label="Copy email address"
        leftSection={<Icon name="copy" size={14} />}
        onClick={() => void copy()}
      >
        Copy
      </Button>
    </Group>
  );
}

/** The actions are those of the row's menu. */
function Actions({ user, onAction }: { user: UserDetails; onAction: (action: UserAction) => void }) {
  const items = getMenu(user);
  if (items === null) return <p className={classes.note}>{NO_ACTIONS}</p>;
  // An invited user obviously has no sessions and no password.
  const refusals = user.state === 'invited' ? [] : [...new Set(items.flatMap(({ refusal = [] }) => refusal))];
  return (
    <Box px={24} pb={20}>
      <Group gap={8}>
        {items
          // The panel already shows the sign-ins.
          .filter(({ name, refusal }) => refusal === undefined && name !== 'view_sign_ins')
          .map(({ name, label }) => (
            <Button
              key={name}
              size="xs"
              variant="default"
              leftSection={<Icon name={ACTION_ICONS[name]} size={16} />}
              onClick={() => onAction(name)}
            >
              {label}
            </Button>
          ))}
      </Group>
      {refusals.map((refusal) => (
        <p key={refusal} className={classes.note}>
          {refusal}
        </p>
      ))}
    </Box>
  );
}
