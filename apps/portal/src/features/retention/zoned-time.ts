import { formatDay } from '@steward/contract/retention/describe-rule';

/** The time zone of the browser. */
export const VIEWER_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A day of a team's calendar; the zone is named unless it is the viewer's: “Nov 21, 2025 (UTC)”. */
export function formatZonedDay(at: number, zone: string, viewerZone = VIEWER_ZONE): string {
  const day = formatDay(at, zone);
  return zone === viewerZone ? day : `${day} (${zone})`;
}
