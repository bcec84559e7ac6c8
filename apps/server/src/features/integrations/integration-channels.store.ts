import type { IntegrationDetail } from '@steward/contract/integrations';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import type { IntegrationKey } from './integrations.store.ts';

export type ChosenChannel = IntegrationDetail['channel_details'][number];

/** The channels that an integration posts in, by name. A deleted channel keeps its last known name. */
export async function listIntegrationChannels(
  db: Database | Trx,
  { teamId, integrationId }: IntegrationKey,
): Promise<ChosenChannel[]> {
  const { rows } = await sql<ChosenChannel>`
    select i.channel_id, coalesce(c.display_name, i.channel_name) as channel_name,
      case when c.id is null then 'missing' when c.delete_at = 0 then 'active' else 'archived' end as state
    from integration_channels i left join channels c on c.team_id = i.team_id and c.id = i.channel_id
    where i.team_id = ${teamId} and i.integration_id = ${integrationId}
    order by lower(coalesce(c.display_name, i.channel_name)), i.channel_id`.execute(db);
  return rows;
}

export async function replaceIntegrationChannels(
  trx: Trx,
  { teamId, integrationId }: IntegrationKey,
  channels: readonly { id: string; display_name: string }[],
): Promise<void> {
  const ids = channels.map(({ id }) => id);
  await sql`delete from integration_channels
    where team_id = ${teamId} and integration_id = ${integrationId} and not channel_id = any(${ids})`.execute(trx);
  await sql`insert into integration_channels as i (team_id, integration_id, channel_id, channel_name)
    select ${teamId}, ${integrationId}, * from unnest(${ids}::text[], ${channels.map(({ display_name }) => display_name)}::text[])
    on conflict (team_id, integration_id, channel_id) do update set channel_name = excluded.channel_name`.execute(trx);
}
