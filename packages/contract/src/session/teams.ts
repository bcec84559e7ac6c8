import { z } from 'zod';
import { endpoint } from '../api/endpoint.ts';
import { Id, isVisible, text } from '../api/fields.ts';
import { TEAM_NAME_MAX, TIME_ZONE_MAX } from '../api/limits.ts';
import { Role } from '../users/roles.ts';

/**
 * Name of a team: trimmed, in NFC, on one line and not blank. Web addresses are refused, because the name is in emails to
 * recipients who don't know its author.
 */
export const TeamName = text(TEAM_NAME_MAX)
  .normalize('NFC')
  .overwrite((name) => name.replace(/\s+/gu, ' ').trim())
  .refine(isVisible, 'is required')
  .refine((name) => !/:\/\/|\bwww\./i.test(name), 'must not be a web address');

/** A name of the IANA database, such as Europe/Berlin. Offsets aren't accepted, because they have no daylight saving time. */
export const TimeZone = text(TIME_ZONE_MAX).refine(isTimeZone, 'is not a time zone (such as Europe/Berlin)');

function isTimeZone(name: string): boolean {
  try {
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

export const Team = z.object({ id: Id, display_name: z.string(), create_at: z.int(), time_zone: z.string() });
export type Team = z.infer<typeof Team>;

/** `id` is the user's. */
export const TeamMember = z.object({ team_id: Id, id: Id, display_name: z.string(), roles: z.array(Role) });
export type TeamMember = z.infer<typeof TeamMember>;

const OwnId = z.object({ userId: z.string() });

/** Any id but the caller's is refused. */
export const listTeams = endpoint({
  name: 'listTeams',
  method: 'GET',
  path: '/users/:userId/teams',
  summary: 'List your teams.',
  params: OwnId,
  answer: z.array(Team),
});

/** Any id but the caller's is refused. */
export const listTeamMembers = endpoint({
  name: 'listTeamMembers',
  method: 'GET',
  path: '/users/:userId/teams/members',
  summary: 'List your memberships with your roles.',
  params: OwnId,
  answer: z.array(TeamMember),
});
