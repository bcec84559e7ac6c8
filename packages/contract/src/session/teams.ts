import { z } from 'zod';
import { endpoint } from '../api/endpoint.ts';
import { Id, isVisible, text } from '../api/fields.ts';
import { TEAM_NAME_MAX } from '../api/limits.ts';
import { Role } from '../users/roles.ts';

/**
 * Name of a team that somebody chooses: trimmed, composed, on one line, with something to be seen. Web addresses are refused,
 * since the name stands in mails to people who do not know its author (trust §4).
 */
export const TeamName = text(TEAM_NAME_MAX)
  .normalize('NFC')
  .overwrite((name) => name.replace(/\s+/gu, ' ').trim())
  .refine(isVisible, 'is required')
  .refine((name) => !/:\/\/|\bwww\./i.test(name), 'must not be a web address');

/** A team the person belongs to. */
export const Team = z.object({ id: Id, display_name: z.string(), create_at: z.int(), time_zone: z.string() });
export type Team = z.infer<typeof Team>;

/** Membership of the person in one team; `id` is the person's (spec §3, team membership). */
export const TeamMember = z.object({ team_id: Id, id: Id, display_name: z.string(), roles: z.array(Role) });
export type TeamMember = z.infer<typeof TeamMember>;

const OwnId = z.object({ userId: z.string() });

/** Teams of the signed-in person; any other id is refused (spec §7). */
export const listTeams = endpoint({
  name: 'listTeams',
  method: 'GET',
  path: '/users/:userId/teams',
  summary: 'Teams you belong to.',
  params: OwnId,
  answer: z.array(Team),
});

/** Memberships, with roles, of the signed-in person; any other id is refused (spec §7). */
export const listTeamMembers = endpoint({
  name: 'listTeamMembers',
  method: 'GET',
  path: '/users/:userId/teams/members',
  summary: 'Your memberships and your roles in them.',
  params: OwnId,
  answer: z.array(TeamMember),
});
