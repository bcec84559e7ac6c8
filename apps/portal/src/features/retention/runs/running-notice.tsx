import { Loader } from '@mantine/core';
import type { KindRetention } from '@steward/contract/retention';
import classes from '../overview/overview.module.css';
import { placeOf } from '../rules/groups.ts';
import { formatBytes, formatNumber } from './format.ts';

/** What runs now and how far it is. */
export function RunningNotice({ kinds }: { kinds: readonly KindRetention[] }) {
  const runs = kinds.flatMap(({ running }) => (running === null ? [] : [running]));
  return (
    // There from the start, so that a screen reader hears what appears in it.
    <div role="status" className={classes.status}>
      {runs.length > 0 && (
        <div className={classes.running}>
          <p className={classes.runningHead}>
            <Loader size={16} aria-hidden="true" /> Retention is running. It goes on by itself; you may leave this page.
          </p>
          <ul className={classes.runningList}>
            {runs.map(({ id, kind, scanned, deleted, bytes }) => (
              <li key={id}>
                {placeOf(kind).setting.title}: {formatNumber(scanned)} looked at, {formatNumber(deleted)} deleted (
                {formatBytes(bytes)})
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
