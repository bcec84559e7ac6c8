import { Box, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ProgressBar } from '#platform/feedback/progress.tsx';
import { formatNumber } from '#platform/time/format.ts';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { channelJoinQueryOptions } from './channels.queries.ts';

/** Progress of adding current members, and the result of the last time. */
export function JoinProgress({ teamId }: { teamId: string }) {
  const join = useQuery(channelJoinQueryOptions(teamId)).data?.join;
  return (
    <Box mt={join === undefined || join === null ? -16 : 0}>
      {join?.state === 'running' && (
        <ProgressBar
          label="Adding members"
          value={join.people_done}
          max={join.people_total}
          text={`Adding members: ${formatNumber(join.people_done)} of ${formatNumber(join.people_total)}`}
        />
      )}
      {/* Always rendered, so that screen readers announce the result, but not every step. */}
      <Text role="status" c="dimmed" fz="0.8125rem" className="figures">
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
      </Text>
    </Box>
  );
}
