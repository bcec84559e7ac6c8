import { Anchor, Checkbox, Group, Stack, Text } from '@mantine/core';
import type { ConnectedUser } from '@steward/contract/connections';
import { Link } from '@tanstack/react-router';
import { StateBadge } from '#platform/feedback/state-badge.tsx';
import { Quiet, SmallButton } from '#platform/page/facts.tsx';
import type { PlainColumn } from '#platform/tables/plain-table.tsx';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { ACCOUNT_STATES, ACTIONS, formatRoles, getAccountState, getUserName, OUTCOMES } from './connected-user-text.ts';

interface ColumnsInput {
  selected: ReadonlySet<string>;
  onSelect: (id: string) => void;
  onAct: (user: ConnectedUser) => void;
  onInvite: (user: ConnectedUser) => void;
  onUnlink: (user: ConnectedUser) => void;
}

export function createUserColumns({
  selected,
  onSelect,
  onAct,
  ...links
}: ColumnsInput): readonly PlainColumn<ConnectedUser>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      width: 'minmax(0, 2.4fr)',
      cell: (user) => (
        <Group gap={12} wrap="nowrap" miw={0}>
          <Checkbox
            aria-label={`Select ${getUserName(user)}`}
            checked={selected.has(user.id)}
            onChange={() => onSelect(user.id)}
          />
          <UserName user={user} />
        </Group>
      ),
    },
    {
      id: 'state',
      header: 'State',
      width: 'minmax(0, 1fr)',
      cell: (user) => <StateBadge {...getAccountState(user)} />,
    },
    { id: 'roles', header: 'Roles there', width: 'minmax(0, 1.4fr)', cell: ({ roles }) => formatRoles(roles) },
    {
      id: 'account',
      header: 'Account here',
      width: 'minmax(0, 1.8fr)',
      cell: (user) => <Account user={user} {...links} />,
    },
    {
      id: 'last',
      header: 'Last action',
      width: 'minmax(0, 2.4fr)',
      cell: ({ last_work }) => <LastWork work={last_work} />,
    },
    {
      id: 'actions',
      header: 'ACTIONS',
      width: '7rem',
      cell: (user) => (
        <SmallButton aria-label={`Actions for ${getUserName(user)}`} onClick={() => onAct(user)}>
          Actions
        </SmallButton>
      ),
    },
  ];
}

function UserName({ user }: { user: ConnectedUser }) {
  return (
    <Stack gap={0} miw={0} style={{ overflowWrap: 'anywhere' }}>
      <Text span inherit fw={500}>
        <bdi>{getUserName(user)}</bdi>
      </Text>
      <Quiet>
        <bdi>{user.email === '' ? user.username : user.email}</bdi>
      </Quiet>
    </Stack>
  );
}

/** An account belongs to a user only by an invitation that was sent from the row. */
function Account({ user, onInvite, onUnlink }: Pick<ColumnsInput, 'onInvite' | 'onUnlink'> & { user: ConnectedUser }) {
  const { account, can_invite } = user;
  const name = getUserName(user);
  if (account === null && !can_invite) return '–';
  return (
    <Stack gap={4} miw={0} align="flex-start" style={{ overflowWrap: 'anywhere' }}>
      {account !== null && <LinkedAccount account={account} />}
      <Group gap={4}>
        {can_invite && (
          <SmallButton aria-label={`Invite ${name}`} onClick={() => onInvite(user)}>
            Invite
          </SmallButton>
        )}
        {account !== null && (
          <SmallButton aria-label={`Unlink the account of ${name}`} onClick={() => onUnlink(user)}>
            Unlink
          </SmallButton>
        )}
      </Group>
    </Stack>
  );
}

function LinkedAccount({
  account: { user_id, name, email, state },
}: {
  account: NonNullable<ConnectedUser['account']>;
}) {
  return (
    <>
      {user_id !== '' && (
        <Anchor renderRoot={(props) => <Link to="/users/users/$userId" params={{ userId: user_id }} {...props} />}>
          <bdi>{name === '' ? email : name}</bdi>
        </Anchor>
      )}
      {state !== 'active' && <StateBadge {...ACCOUNT_STATES[state]} />}
    </>
  );
}

/** The second line says what the server did. */
function LastWork({ work }: { work: ConnectedUser['last_work'] }) {
  if (work === null) return '–';
  return (
    <Stack gap={2} role="status">
      <span>{ACTIONS[work.action].label}</span>
      <Group gap="2px 8px">
        <StateBadge {...OUTCOMES[work.remote]} />
        <Quiet>
          <Timestamp at={work.asked_at} />
        </Quiet>
      </Group>
      {work.detail !== '' && <Quiet>{work.detail}</Quiet>}
    </Stack>
  );
}
