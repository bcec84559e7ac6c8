import { Anchor, Group, Stack, Title } from '@mantine/core';
import type { Hold } from '@steward/contract/retention/holds';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { getFailureMessage } from '#platform/api/failure.ts';
import type { PlainColumn } from '#platform/tables/plain-table.tsx';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { holdsQueryOptions } from '#workspace/holds/holds.queries.ts';
import { Held, Scope } from '../holds/hold-columns.tsx';
import { describeScope } from '../holds/hold-text.ts';
import { ResponsiveTable } from '../responsive-table.tsx';
import { Quiet } from '../runs/run-result.tsx';

/** How many holds the overview lists. */
const SHOWN = 5;

/** The legal holds in effect, with a link to their page. */
export function HoldsSection({ teamId }: { teamId: string }) {
  const { data, error } = useQuery(holdsQueryOptions(teamId));
  const title = useId();
  const active = data?.records.filter(({ released_at }) => released_at === null) ?? [];
  return (
    <Stack component="section" gap="sm" miw={0} aria-labelledby={title}>
      <Group justify="space-between" gap="sm">
        <Title order={2} id={title} fz="1rem">
          Legal holds
        </Title>
        <Anchor
          inherit
          fz="0.8125rem"
          py={4}
          renderRoot={(props) => <Link to="/dashboard/team_settings/holds" {...props} />}
        >
          {active.length > SHOWN ? `View all ${active.length} holds` : 'Manage legal holds'}
        </Anchor>
      </Group>
      {active.length > 0 ? (
        <ResponsiveTable
          label="Legal holds in effect"
          columns={COLUMNS}
          rows={active.slice(0, SHOWN)}
          rowId={({ id }) => id}
          summary={(hold) => <Summary hold={hold} />}
        />
      ) : (
        <Quiet>{describeNone(data === undefined, error)}</Quiet>
      )}
    </Stack>
  );
}

function describeNone(isLoading: boolean, error: Parameters<typeof getFailureMessage>[0] | null): string {
  if (error !== null) return `Couldn't load the legal holds: ${getFailureMessage(error)}`;
  return isLoading ? 'Loading…' : 'No holds: rules delete everything that they cover.';
}

const COLUMNS: readonly PlainColumn<Hold>[] = [
  { id: 'name', header: 'Hold', width: 'minmax(0, 2fr)', cell: ({ name }) => <bdi>{name}</bdi> },
  { id: 'covers', header: 'Covers', width: 'minmax(0, 3fr)', cell: (hold) => <Scope hold={hold} /> },
  { id: 'held', header: 'Held', width: 'minmax(0, 1.2fr)', cell: ({ held }) => <Held held={held} /> },
  { id: 'since', header: 'Since', width: 'minmax(0, 2fr)', cell: ({ created_at }) => <Timestamp at={created_at} /> },
  {
    id: 'by',
    header: 'By',
    width: 'minmax(0, 1.6fr)',
    cell: ({ created_by_name, automatic }) => (automatic ? 'Restored content' : <bdi>{created_by_name}</bdi>),
  },
];

function Summary({ hold }: { hold: Hold }) {
  return (
    <Stack gap={0} miw={0}>
      <bdi>{hold.name}</bdi>
      <Quiet>
        <bdi>{describeScope(hold).join(' · ')}</bdi>
      </Quiet>
    </Stack>
  );
}
