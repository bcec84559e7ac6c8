import { Box, Group, Stack, Text, Title } from '@mantine/core';
import type { Import } from '@steward/contract/directory';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getFailureMessage } from '#platform/api/failure.ts';
import { StateBadge, type Tone } from '#platform/feedback/state-badge.tsx';
import { RowButton } from '#platform/forms/row-button.tsx';
import { Skeletons } from '#platform/page/page.tsx';
import { ShowMore } from '#platform/tables/show-more.tsx';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { formatImport, STATE_WORDS } from './directory-upload-text.ts';
import { getImports } from './upload.queries.ts';

const TONES: Readonly<Record<Import['state'], Tone>> = {
  running: 'active',
  finished: 'quiet',
  cancelled: 'warning',
  interrupted: 'warning',
  undoing: 'active',
  undone: 'undone',
};

interface RecentImportsProps {
  teamId: string;
  onUndo: (imported: Import) => void;
  onShowUndo: (importId: string) => void;
}

export function RecentImports({ teamId, onUndo, onShowUndo }: RecentImportsProps) {
  const list = useInfiniteQuery(getImports(teamId));
  const imports = list.data?.records;
  return (
    <Stack component="section" gap={8} miw={0} aria-label="Recent imports">
      <Title order={4} fz="0.8125rem">
        Recent imports
      </Title>
      {imports === undefined && list.error === null && <Skeletons rows={2} height={52} />}
      {list.error !== null && (
        <Text c="dimmed" fz="0.8125rem" role="alert">
          Couldn’t load recent imports: {getFailureMessage(list.error)}{' '}
          <RowButton onClick={() => void list.refetch()}>Retry</RowButton>
        </Text>
      )}
      {imports?.length === 0 && (
        <Text c="dimmed" fz="0.8125rem">
          No imports in the last 30 days.
        </Text>
      )}
      {imports !== undefined && imports.length > 0 && (
        <Stack component="ul" gap={8} m={0} p={0} style={{ listStyle: 'none' }}>
          {imports.map((imported) => (
            <ImportRow key={imported.id} imported={imported} onUndo={onUndo} onShowUndo={onShowUndo} />
          ))}
        </Stack>
      )}
      <div>
        <ShowMore compact list={list} />
      </div>
    </Stack>
  );
}

interface ImportRowProps extends Omit<RecentImportsProps, 'teamId'> {
  imported: Import;
}

function ImportRow({ imported, onUndo, onShowUndo }: ImportRowProps) {
  const { id, state, started_by_name, started_at, undo_until, undo } = imported;
  const name = importName(imported);
  return (
    <Group component="li" gap="8px 12px" px="sm" py={10} bd="1px solid var(--hairline)" bdrs="md">
      <Box flex="1 1 260px" miw={0}>
        <Group gap={8} wrap="nowrap">
          <Text component="bdi" fw={500} truncate title={name}>
            {name}
          </Text>
          <StateBadge tone={TONES[state]} word={STATE_WORDS[state]} />
        </Group>
        <Group gap="0 12px" c="dimmed" fz="0.8125rem" className="figures">
          <span>{formatImport(imported)}</span>
          <span>
            <bdi>{started_by_name}</bdi>, <Timestamp at={started_at} />
          </span>
        </Group>
      </Box>
      {undo_until > 0 && (
        <RowButton icon="undo" aria-label={`Undo this import: ${name}`} onClick={() => onUndo(imported)}>
          Undo this import
        </RowButton>
      )}
      {undo !== null && (
        <RowButton aria-label={`Details: ${name}`} onClick={() => onShowUndo(id)}>
          Details
        </RowButton>
      )}
    </Group>
  );
}

/** Imports without a file were sent through the API. */
export function importName({ file_name }: Pick<Import, 'file_name'>): string {
  return file_name === '' ? 'API import' : file_name;
}
