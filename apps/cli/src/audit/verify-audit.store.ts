import type { Database } from '@steward/server/src/platform/database/database.ts';
import { type NewChainLink, utcTime } from '@steward/server/src/workspace/audit/chain.store.ts';
import { sql } from 'kysely';

/** `at` is null if the row is missing. */
export interface StoredChainLink extends NewChainLink {
  at: string | null;
  actor_id: string | null;
  action: string | null;
  target: string | null;
  details: string | null;
  address: string | null;
  request_id: string | null;
}

/** Positions are in the order in which they were added. */
export async function listLinks(
  db: Database,
  { team, after, limit }: { team: string | undefined; after: number; limit: number },
): Promise<StoredChainLink[]> {
  const { rows } = await sql<StoredChainLink>`
    select c.team_id, c.position, c.number, c.event_id, c.key_id, c.content, c.digest, ${utcTime(sql.ref('e.at'))} as at,
      e.actor_id, e.action, e.target, e.details::text as details, e.address, e.request_id
    from audit_chain c left join audit_events e on e.team_id = c.team_id and e.id = c.event_id
    where c.number > ${after} and (${team ?? null}::text is null or c.team_id = ${team ?? ''})
    order by c.number limit ${limit}`.execute(db);
  return rows;
}

export interface LooseEvent {
  team_id: string;
  id: string;
  actor_id: string | null;
  action: string;
  target: string | null;
  signature: string | null;
  is_pending: boolean;
}

export async function listLoose(
  db: Database,
  { team, after, limit }: { team: string | undefined; after: string; limit: number },
): Promise<LooseEvent[]> {
  const { rows } = await sql<LooseEvent>`
    select e.team_id, e.id, e.actor_id, e.action, e.target, e.signature, p.event_id is not null as is_pending
    from audit_events e
    left join audit_chain c on c.team_id = e.team_id and c.event_id = e.id
    left join audit_pending p on p.team_id = e.team_id and p.event_id = e.id
    where c.event_id is null and e.signature is not null and e.id > ${after}
      and (${team ?? null}::text is null or e.team_id = ${team ?? ''})
    order by e.id limit ${limit}`.execute(db);
  return rows;
}

export async function countEarlier(
  db: Database,
  team: string | undefined,
): Promise<{ team_id: string; count: number; newest: string }[]> {
  const { rows } = await sql<{ team_id: string; count: number; newest: string }>`
    select e.team_id, count(*)::int as count, max(e.id) as newest from audit_events e
    where e.signature is null and (${team ?? null}::text is null or e.team_id = ${team ?? ''})
      and not exists (select from audit_chain c where c.team_id = e.team_id and c.event_id = e.id)
    group by e.team_id order by e.team_id`.execute(db);
  return rows;
}
