import { VIEWER_ZONE } from '#platform/time/format.ts';
import { Timestamp } from '#platform/time/timestamp.tsx';

/** An instant in the viewer's zone. Beside dates of a team in another zone, its own zone is named. */
export function TeamTimestamp({ at, teamZone }: { at: number; teamZone: string | undefined }) {
  return (
    <>
      <Timestamp at={at} />
      {teamZone !== undefined && teamZone !== VIEWER_ZONE && ` (${VIEWER_ZONE})`}
    </>
  );
}
