import { VIEWER_ZONE } from '#platform/time/format.ts';
import { Timestamp } from '#platform/time/timestamp.tsx';

/** The time is in the viewer's zone. The zone is named if the team, whose dates are shown next to it, is in another one. */
export function TeamTimestamp({ at, teamZone }: { at: number; teamZone: string | undefined }) {
  return (
    <>
      <Timestamp at={at} />
      {teamZone !== undefined && teamZone !== VIEWER_ZONE && ` (${VIEWER_ZONE})`}
    </>
  );
}
