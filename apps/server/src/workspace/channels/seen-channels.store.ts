import { type RawBuilder, sql } from 'kysely';
import { isInEffect } from './compliance-access.store.ts';

/**
 * Whether an admin sees the name of the channel `c`: public ones; private and direct ones as a member or while they have
 * compliance access; and every default channel and channel of an integration, since those screens list it to all admins.
 */
export function isChannelSeenBy(personId: string): RawBuilder<boolean> {
  return sql`(c.type = 'O'
    or exists (select 1 from default_channels d where d.team_id = c.team_id and d.channel_id = c.id)
    or exists (select 1 from integration_channels i where i.team_id = c.team_id and i.channel_id = c.id)
    or exists (select 1 from channel_members j
      where j.team_id = c.team_id and j.channel_id = c.id and j.person_id = ${personId})
    or exists (select 1 from compliance_access a
      where a.team_id = c.team_id and a.channel_id = c.id and a.person_id = ${personId} and ${isInEffect}))`;
}
