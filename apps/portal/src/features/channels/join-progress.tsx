import { useQuery } from '@tanstack/react-query';
import { ProgressBar } from '#platform/feedback/progress.tsx';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { channelJoinQueryOptions } from './channels.queries.ts';
import classes from './default-channels.module.css';

/** How far the people of the team are being added, and how the last time ended. */
export function JoinProgress({ teamId }: { teamId: string }) {
  const join = useQuery(channelJoinQueryOptions(teamId)).data?.join;
  return (
    <div className={classes.join}>
      {join?.state === 'running' && (
        <ProgressBar
          label="Adding people"
          value={join.people_done}
          max={join.people_total}
          text={`Adding people: ${figure(join.people_done)} of ${figure(join.people_total)}`}
        />
      )}
      {/* There from the start, so that a screen reader hears the end; not every step. */}
      <p role="status" className={classes.joined}>
        {join?.state === 'done' && (
          <>
            Added {figure(join.joined)} {join.joined === 1 ? 'membership' : 'memberships'}
            {join.ended_at !== null && (
              <>
                , <Timestamp at={join.ended_at} />
              </>
            )}
          </>
        )}
      </p>
    </div>
  );
}

function figure(count: number): string {
  return count.toLocaleString('en-US');
}
