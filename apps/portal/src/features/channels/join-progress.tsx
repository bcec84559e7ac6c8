import { useQuery } from '@tanstack/react-query';
import { ProgressBar } from '#platform/feedback/progress.tsx';
import { formatNumber } from '#platform/time/format.ts';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { channelJoinQueryOptions } from './channels.queries.ts';
import classes from './default-channels.module.css';

/** Progress of adding current members, and the result of the last time. */
export function JoinProgress({ teamId }: { teamId: string }) {
  const join = useQuery(channelJoinQueryOptions(teamId)).data?.join;
  return (
    <div className={classes.join}>
      {join?.state === 'running' && (
        <ProgressBar
          label="Adding members"
          value={join.people_done}
          max={join.people_total}
          text={`Adding members: ${formatNumber(join.people_done)} of ${formatNumber(join.people_total)}`}
        />
      )}
      {/* Always rendered, so that screen readers announce the result, but not every step. */}
      <p role="status" className={classes.joined}>
        {join?.state === 'done' && (
          <>
            Added {formatNumber(join.joined)} {join.joined === 1 ? 'membership' : 'memberships'}
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
