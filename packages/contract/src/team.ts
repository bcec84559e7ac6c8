import { z } from 'zod';
import { endpoint } from './api/endpoint.ts';
import { Id } from './api/fields.ts';
import { SMALL_BODY_MAX } from './api/limits.ts';
import { RetentionKind } from './retention/fields.ts';
import { TeamName, TimeZone } from './session/teams.ts';

const TeamParams = z.object({ teamId: Id });

export const TeamSettings = z.object({ display_name: z.string(), time_zone: z.string() });
export type TeamSettings = z.infer<typeof TeamSettings>;

/** Only for owners. */
export const getTeamSettings = endpoint({
  name: 'getTeamSettings',
  method: 'GET',
  path: '/admin/teams/:teamId/settings',
  summary: 'Get name and time zone of a team.',
  params: TeamParams,
  answer: TeamSettings,
});

/** The effect of the retention rules in a time zone. */
const ZoneEffect = z.object({
  time_zone: z.string(),
  next_run_at: z.int(),
  /** For each kind that the next run deletes: it deletes what is older than this. */
  cutoffs: z.array(z.object({ kind: RetentionKind, at: z.int() })),
});
export type ZoneEffect = z.infer<typeof ZoneEffect>;

/** Changes nothing. Only for owners. */
export const previewTimeZone = endpoint({
  name: 'previewTimeZone',
  method: 'GET',
  path: '/admin/teams/:teamId/settings/time_zone',
  summary: 'Compare the nightly runs and cutoffs of retention in another time zone.',
  params: TeamParams,
  query: z.object({ time_zone: TimeZone }),
  answer: z.object({ current: ZoneEffect, next: ZoneEffect }),
});
export type ZonePreview = z.infer<typeof previewTimeZone.answer>;

/**
 * Changes the name, the time zone or both; what is absent stays. Only for owners. Another time zone needs a recently confirmed
 * session, because it moves what retention rules delete, and is emailed to owners and admins. The next nightly run is the next
 * 02:00 in the new zone.
 */
export const saveTeamSettings = endpoint({
  name: 'saveTeamSettings',
  bodyLimit: SMALL_BODY_MAX,
  method: 'POST',
  path: '/admin/teams/:teamId/settings',
  summary: 'Change name or time zone of a team.',
  params: TeamParams,
  body: z.object({ display_name: TeamName.optional(), time_zone: TimeZone.optional() }),
  answer: TeamSettings,
});
