import { Text } from '@mantine/core';
import type { CheckRow } from '@steward/contract/connections/fields';
import { useId } from 'react';
import { Quiet } from '#platform/page/facts.tsx';
import { Icon } from '#platform/page/icon.tsx';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { describeChecks } from './connection-text.ts';
import classes from './connections.module.css';

interface ChecksProps {
  checks: readonly CheckRow[];
  rehearsal: readonly CheckRow[];
  /** 0 if there was none. */
  rehearsedAt: number;
}

export function ChecksSection({ checks, rehearsal, rehearsedAt }: ChecksProps) {
  return (
    <div className={classes.columns}>
      <div>
        <Heading>Checks of the server</Heading>
        {checks.length === 0 ? (
          <Quiet>The bridge has not reported yet.</Quiet>
        ) : (
          <CheckList rows={checks} what={{ one: 'check', many: 'checks' }} />
        )}
      </div>
      <div>
        <Heading>Rehearsal</Heading>
        <Quiet>
          {rehearsedAt === 0
            ? 'None yet. Before each order, the bridge deletes messages of its own in a private team and checks what is left.'
            : 'Deleted messages of its own in a private team there, and checked what was left.'}{' '}
          {rehearsedAt > 0 && <Timestamp at={rehearsedAt} />}
        </Quiet>
        {rehearsal.length > 0 && <CheckList rows={rehearsal} what={{ one: 'step', many: 'steps' }} />}
      </div>
    </div>
  );
}

function Heading({ children }: { children: string }) {
  return (
    <Text component="h3" m={0} fw={600}>
      {children}
    </Text>
  );
}

interface CheckListProps {
  rows: readonly CheckRow[];
  what: { one: string; many: string };
}

/** The list is open if something failed. */
function CheckList({ rows, what }: CheckListProps) {
  const id = useId();
  const hasFailed = rows.some(({ passed }) => !passed);
  return (
    <details open={hasFailed}>
      <summary className={classes.summary} id={id}>
        <Text span {...(hasFailed && { c: 'var(--danger)' })}>
          {describeChecks(rows, what)}
        </Text>
        <Icon name="chevron" size={16} />
      </summary>
      <ul className={classes.checks} aria-labelledby={id}>
        {rows.map(({ name, passed, detail }) => (
          <li key={name} data-failed={!passed || undefined}>
            <Icon name={passed ? 'check' : 'warning'} size={16} />
            <div>
              {!passed && 'Failed: '}
              <bdi>{name}</bdi>
              {detail !== '' && (
                <Text c="dimmed" fz="0.8125rem">
                  <bdi>{detail}</bdi>
                </Text>
              )}
            </div>
          </li>
        ))}
      </ul>
    </details>
  );
}
