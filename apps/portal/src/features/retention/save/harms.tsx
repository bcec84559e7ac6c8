import { RETENTION_WAIT_MS } from '@steward/contract/api/limits';
import { useQuery } from '@tanstack/react-query';
import { Instant } from '#platform/time/instant.tsx';
import { overviewOf } from '../retention.queries.ts';
import { KIND_WORDS } from '../retention-words.ts';
import { bytesText, countText, dayText } from '../runs/figures.ts';
import classes from './save-dialog.module.css';
import type { Harm } from './use-preview.ts';

const WAIT_HOURS = RETENTION_WAIT_MS / 3_600_000;

/** What rules would delete if they ruled now, and when they begin to. */
export function Harms({ teamId, harms }: { teamId: string; harms: readonly Harm[] }) {
  const { data } = useQuery(overviewOf(teamId));
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
          <HarmItem key={harm.setting.kind} harm={harm} zone={data?.time_zone} />
        ))}
      </ul>
      <p className={classes.text}>
        {harms.length === 1 ? 'It begins' : 'They begin'} on <Instant at={begins} />, {WAIT_HOURS} hours from now, and
        the first run after that is on <Instant at={firstRun} />.{' '}
        <strong>What a run has deleted cannot be brought back.</strong>
      </p>
      <p className={classes.text}>Until then, saving the old rule again cancels it.</p>
    </div>
  );
}

function HarmItem({ harm: { setting, preview }, zone }: { harm: Harm; zone: string | undefined }) {
  const { count, bytes, oldest, newest, cutoff } = preview;
  const words = KIND_WORDS[setting.kind];
  return (
    <li className={classes.harm}>
      <h3 className={classes.title}>{setting.title}</h3>
      <p className={classes.count}>
        {count === 0 ? `No ${words.many} would be deleted now` : `${countText(count, words)}, ${bytesText(bytes)}`}
      </p>
      <dl className={classes.facts}>
        {cutoff !== null && (
          <div>
            <dt>All before</dt>
            <dd>{zone === undefined ? <Instant at={cutoff} /> : `${dayText(cutoff, zone)} (${zone})`}</dd>
          </div>
        )}
        {oldest !== null && (
          <div>
            <dt>Oldest</dt>
            <dd>
              <Instant at={oldest} />
            </dd>
          </div>
        )}
        {newest !== null && (
          <div>
            <dt>Newest</dt>
            <dd>
              <Instant at={newest} />
            </dd>
          </div>
        )}
      </dl>
    </li>
  );
}
