import { Group, Stack, Text } from '@mantine/core';
import type { Session } from '@steward/contract/users/sessions';
import { useEffect, useId, useRef } from 'react';
import { type Failure, getFailureMessage } from '#platform/api/failure.ts';
import { ignoreRepeat } from '#platform/dialogs/dialog-buttons.tsx';
import { StateBadge } from '#platform/feedback/state-badge.tsx';
import { RowButton } from '#platform/forms/row-button.tsx';
import { Icon } from '#platform/page/icon.tsx';
import { Skeletons } from '#platform/page/page.tsx';
import unseen from '#platform/page/visually-hidden.module.css';
import { TimeAgo } from '#platform/time/timestamp.tsx';
import classes from './sessions.module.css';
import type { useRevokeSession } from './sessions.queries.ts';

export interface SessionsResult {
  records: readonly Session[] | undefined;
  failure: Failure | null;
  isFetching: boolean;
  retry: () => void;
}

interface SessionListProps {
  sessions: SessionsResult;
  ending: ReturnType<typeof useRevokeSession>;
  /** All sessions are being revoked, so none can be signed out alone. */
  isBusy: boolean;
}

export function SessionList({ sessions, ending, isBusy }: SessionListProps) {
  const id = useId();
  const { records, failure, isFetching, retry } = sessions;
  const { ended } = ending;
  const left = records?.filter((session) => !ended.some((gone) => gone.id === session.id)).length;
  return (
    <Stack renderRoot={(props) => <section {...props} />} gap={8} mt={20} aria-labelledby={id}>
      <Text component="h3" id={id} fz={13} fw={600}>
        {left === undefined ? 'Active sessions' : formatCount(left)}
      </Text>
      <div>
        {records === undefined && failure === null && <Skeletons rows={2} height={48} />}
        {records === undefined && failure !== null && (
          <Group justify="space-between" p={12} bdrs={8} bg="var(--surface-hover)" c="dimmed">
            Couldn't load active sessions: {getFailureMessage(failure)}
            <RowButton loading={isFetching} onClick={retry}>
              Retry
            </RowButton>
          </Group>
        )}
        {records !== undefined && records.length > 0 && <Rows sessions={records} ending={ending} isBusy={isBusy} />}
      </div>
      <Text
        role="status"
        {...(ending.failure === undefined
          ? { className: unseen.unseen ?? '' }
          : { p: 12, bdrs: 8, bg: 'var(--surface-hover)', c: 'dimmed' })}
      >
        {ending.failure !== undefined
          ? `Couldn't sign out this session: ${getFailureMessage(ending.failure)}`
          : formatEndedSessions(ended)}
      </Text>
    </Stack>
  );
}

function Rows({ sessions, ending, isBusy }: { sessions: readonly Session[] } & Omit<SessionListProps, 'sessions'>) {
  const { ended, end, endingId } = ending;
  const list = useFocusAfterEnd(ended, endingId);
  return (
    <ul ref={list} className={classes.list}>
      {sessions.map((session) => {
        const isEnded = ended.some(({ id }) => id === session.id);
        return (
          <li key={session.id} className={classes.session} data-id={session.id} data-ended={isEnded || undefined}>
            <DeviceIcon device={session.device} />
            <SessionDetails device={session.device} address={session.address} lastSeenAt={session.last_seen_at} />
            {isEnded ? (
              <SignedOut />
            ) : session.is_current ? (
              <StateBadge tone="active" word="This device" />
            ) : (
              <RowButton
                disabled={isBusy || (endingId !== undefined && endingId !== session.id)}
                loading={endingId === session.id}
                aria-label={`Sign out ${session.device}, ${session.address}`}
                onKeyDown={ignoreRepeat}
                onClick={() => end(session)}
              >
                Sign out
              </RowButton>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** The pressed button disappears, so the focus moves to the next one, or else to the previous one, or else to the dialog's first button. */
function useFocusAfterEnd(ended: readonly Session[], endingId: string | undefined) {
  const list = useRef<HTMLUListElement>(null);
  const seen = useRef(0);
  useEffect(() => {
    // The other buttons are disabled while one is pending.
    if (endingId !== undefined || ended.length === seen.current) return;
    seen.current = ended.length;
    const rows = [...(list.current?.children ?? [])];
    const at = rows.findIndex((row) => row.getAttribute('data-id') === ended.at(-1)?.id);
    const button = (of: readonly Element[]) =>
      of.map((row) => row.querySelector('button')).find((found) => found !== null);
    const answer = list.current?.closest('[role="dialog"]')?.querySelector<HTMLElement>('[data-autofocus]');
    (button(rows.slice(at)) ?? button(rows.slice(0, at).reverse()) ?? answer)?.focus();
  }, [ended, endingId]);
  return list;
}

/** The name of the device decides between a phone and a screen. */
export function DeviceIcon({ device }: { device: string }) {
  return (
    <Text span c="dimmed" lh={0}>
      <Icon name={/iOS|Android/.test(device) ? 'phone' : 'screen'} />
    </Text>
  );
}

/** `lastSeenAt` is set while the session is active. */
export function SessionDetails({
  device,
  address,
  lastSeenAt,
}: {
  device: string;
  address: string;
  lastSeenAt?: number;
}) {
  return (
    <Text component="div" flex={1} miw={0} style={{ overflowWrap: 'anywhere' }}>
      <Text component="strong" fw={500}>
        {device}
      </Text>
      <Group gap="0 12px" fz={13} c="dimmed" className="figures">
        <bdi>{address}</bdi>{' '}
        {lastSeenAt !== undefined && (
          <Text span inherit style={{ whiteSpace: 'nowrap' }}>
            Last active <TimeAgo at={lastSeenAt} />
          </Text>
        )}
      </Group>
    </Text>
  );
}

export function SignedOut() {
  return (
    <Text span fz={13} c="dimmed">
      Signed out
    </Text>
  );
}

function formatCount(count: number): string {
  if (count === 0) return 'No active sessions';
  return count === 1 ? '1 active session' : `${count} active sessions`;
}

function formatEndedSessions(ended: readonly Session[]): string {
  const last = ended.at(-1);
  return last === undefined ? '' : `${last.device}, ${last.address}: signed out.`;
}
