import { Button } from '@mantine/core';
import type { Import } from '@steward/contract/directory';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getFailureMessage } from '#platform/api/failure.ts';
import { StateBadge, type Tone } from '#platform/feedback/state-badge.tsx';
import { Icon } from '#platform/page/icon.tsx';
import { Skeletons } from '#platform/page/page.tsx';
import { ShowMore } from '#platform/tables/show-more.tsx';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { getImports } from '../upload/upload.queries.ts';
import { formatImport, STATE_WORDS } from '../upload-text.ts';
import classes from './imports.module.css';

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

/** The imports of the last 30 days, with undo. */
export function RecentImports({ teamId, onUndo, onShowUndo }: RecentImportsProps) {
  const list = useInfiniteQuery(getImports(teamId));
  const imports = list.data?.records;
  return (
    <section className={classes.imports} aria-label="Recent imports">
      <h4 className={classes.title}>Recent imports</h4>
      {imports === undefined && list.error === null && <Skeletons rows={2} height={52} />}
      {list.error !== null && (
        <p className={classes.quiet} role="alert">
          Couldn’t load recent imports: {getFailureMessage(list.error)}{' '}
          <Button size="compact-sm" variant="default" onClick={() => void list.refetch()}>
            Retry
          </Button>
        </p>
      )}
      {imports?.length === 0 && <p className={classes.quiet}>No imports in the last 30 days.</p>}
      {imports !== undefined && imports.length > 0 && (
        <ul className={classes.list}>
          {imports.map((imported) => (
            <ImportRow key={imported.id} imported={imported} onUndo={onUndo} onShowUndo={onShowUndo} />
          ))}
        </ul>
      )}
      <ShowMore compact list={list} className={classes.more} />
    </section>
  );
}

interface ImportRowProps extends Omit<RecentImportsProps, 'teamId'> {
  imported: Import;
}

function ImportRow({ imported, onUndo, onShowUndo }: ImportRowProps) {
  const { id, state, started_by_name, started_at, undo_until, undo } = imported;
  const name = importName(imported);
  return (
    <li className={classes.import}>
      <div className={classes.words}>
        <p className={classes.name}>
          <bdi title={name}>{name}</bdi>
          <StateBadge tone={TONES[state]} word={STATE_WORDS[state]} />
        </p>
        <p className={classes.facts}>
          {formatImport(imported)}
          <span className={classes.who}>
            <bdi>{started_by_name}</bdi>, <Timestamp at={started_at} />
          </span>
        </p>
      </div>
      {undo_until > 0 && (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<Icon name="undo" size={14} />}
          aria-label={`Undo this import: ${name}`}
          onClick={() => onUndo(imported)}
        >
          Undo this import
        </Button>
      )}
      {undo !== null && (
        <Button size="compact-sm" variant="default" aria-label={`Details: ${name}`} onClick={() => onShowUndo(id)}>
          Details
        </Button>
      )}
    </li>
  );
}

/** Imports without a file were sent through the API. */
export function importName({ file_name }: Pick<Import, 'file_name'>): string {
  return file_name === '' ? 'API import' : file_name;
}
