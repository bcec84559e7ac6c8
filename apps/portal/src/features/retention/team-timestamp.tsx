import { Timestamp } from '#platform/time/timestamp.tsx';
import { VIEWER_ZONE } from './zoned-time.ts';

/** An instant in the viewer's zone. Beside dates of a team in another zone, its own zone is named. */
export function TeamTimestamp({ at, teamZone }: { at: number; teamZone: string | undefined }) {
  return (
    <>
      <Timestamp at={at} />
      {teamZone !== undefined && teamZone !== VIEWER_ZONE && ` (${VIEWER_ZONE})`}
    </>
  );
}
