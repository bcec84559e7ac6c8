import { RETENTION_WAIT_MS } from '@steward/contract/api/limits';
import { useQuery } from '@tanstack/react-query';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { overviewQueryOptions } from '../retention.queries.ts';
import { KIND_WORDS } from '../retention-text.ts';
import { formatBytes, formatCount, formatDay } from '../runs/format.ts';
import classes from './save-dialog.module.css';
import type { Impact } from './use-preview.ts';

const WAIT_HOURS = RETENTION_WAIT_MS / 3_600_000;

/** What rules would delete if they ruled now, and when they begin to. */
export function Impacts({ teamId, harms }: { teamId: string; harms: readonly Impact[] }) {
  const { data } = useQuery(overviewQueryOptions(teamId));
  const begins = Math.max(...harms.map(({ preview }) => preview.effective_at));
  const firstRun = Math.max(...harms.map(({ preview }) => preview.first_run_at));
  return (
    <div className={classes.harms}>
      <p className={classes.question}>
        {harms.length === 1
          ? 'This rule deletes more than the one before. Save it all the same?'
          : 'These rules delete more than the ones before. Save them all the same?'}
      </p>
      <ul className={classes.list}>
        {harms.map((harm) => (
          <ImpactItem key={harm.setting.kind} harm={harm} zone={data?.time_zone} />
        ))}
      </ul>
      <p className={classes.text}>
        {harms.length === 1 ? 'It begins' : 'They begin'} on <Timestamp at={begins} />, {WAIT_HOURS} hours from now, and
        the first run after that is on <Timestamp at={firstRun} />.{' '}
        <strong>What a run has deleted cannot be brought back.</strong>
      </p>
      <p className={classes.text}>Until then, saving the old rule again cancels it.</p>
    </div>
  );
}

function ImpactItem({ harm: { setting, preview }, zone }: { harm: Impact; zone: string | undefined }) {
  const { count, bytes, oldest, newest, cutoff } = preview;
  const words = KIND_WORDS[setting.kind];
  return (
    <li className={classes.harm}>
      <h3 className={classes.title}>{setting.title}</h3>
      <p className={classes.count}>
        {count === 0 ? `No ${words.many} would be deleted now` : `${formatCount(count, words)}, ${formatBytes(bytes)}`}
      </p>
      <dl className={classes.facts}>
        {cutoff !== null && (
          <div>
            <dt>All before</dt>
            <dd>{zone === undefined ? <Timestamp at={cutoff} /> : `${formatDay(cutoff, zone)} (${zone})`}</dd>
          </div>
        )}
        {oldest !== null && (
          <div>
            <dt>Oldest</dt>
            <dd>
              <Timestamp at={oldest} />
            </dd>
          </div>
        )}
        {newest !== null && (
          <div>
            <dt>Newest</dt>
            <dd>
              <Timestamp at={newest} />
            </dd>
          </div>
        )}
      </dl>
    </li>
  );
}
