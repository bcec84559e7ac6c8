import {
  PERMIT_ATTEMPTS,
  PERMIT_GIVEN_MAX,
  PERMIT_GIVEN_MINUTES,
  PERMIT_MINUTES,
  PERMIT_SECONDS,
} from '@steward/contract/api/limits';
import type { PermitRow } from '@steward/contract/connections/connector';
import { sql } from 'kysely';
import type { Trx } from '#platform/database/database.ts';

export interface StoredPermit {
  id: string;
  order_id: string;
  server_id: string;
  channel_id: string;
  row_ids: string[];
  /** The messages as they were known when it was issued: what is gone at the server may leave the lists before it has an outcome. */
  rows: PermitRow[];
  is_whole: boolean;
  is_begun: boolean;
  /** It was issued less than two minutes ago. */
  is_valid: boolean;
  is_closed: boolean;
  /** The team stopped governing the server after it was begun, even if it does so again. */
  is_ended: boolean;
  attempts: number;
  /** Begun at least ten minutes ago. */
  is_old: boolean;
  /** Given again and again for an hour, with too few complete attempts. */
  is_lost: boolean;
}

export type NewPermit = Pick<
  StoredPermit,
  'id' | 'order_id' | 'server_id' | 'channel_id' | 'row_ids' | 'rows' | 'is_whole'
>;

/** The next complete attempt is the last one. */
export const isLastAttempt = ({ attempts, is_old }: Pick<StoredPermit, 'attempts' | 'is_old'>) =>
  attempts + 1 >= PERMIT_ATTEMPTS && is_old;

const selectPermits = (trx: Trx) =>
  trx
    .selectFrom('connected_permits as p')
    .select(['p.id', 'p.order_id', 'p.server_id', 'p.channel_id', 'p.row_ids', 'p.is_whole', 'p.attempts'])
    .select([
      sql<PermitRow[]>`p.rows`.as('rows'),
      sql<boolean>`p.begun_at is not null`.as('is_begun'),
      sql<boolean>`p.issued_at > clock_timestamp() - make_interval(secs => ${PERMIT_SECONDS})`.as('is_valid'),
      sql<boolean>`p.closed_at is not null`.as('is_closed'),
      sql<boolean>`not exists (select 1 from connected_orders o
          join connected_teams t on t.server_id = o.server_id and t.team_id = o.team_id
          where o.id = p.order_id and t.accepted_at < coalesce(p.begun_at, clock_timestamp()))`.as('is_ended'),
      sql<boolean>`coalesce(p.begun_at < clock_timestamp() - make_interval(mins => ${PERMIT_MINUTES}), false)`.as(
        'is_old',
      ),
      sql<boolean>`p.given >= ${PERMIT_GIVEN_MAX} and 
        coalesce(p.begun_at < clock_timestamp() - make_interval(mins => ${PERMIT_GIVEN_MINUTES}), false)`.as('is_lost'),
    ]);

/** The permit of a server that isn't closed; a server has one at a time. */
export function findOpenPermit(trx: Trx, serverId: string): Promise<StoredPermit | undefined> {
  return selectPermits(trx).where('p.server_id', '=', serverId).where('p.closed_at', 'is', null).executeTakeFirst();
}

/** Closes a permit unless it was begun. */
export async function voidPermit(trx: Trx, id: string): Promise<void> {
  await sql`update connected_permits set closed_at = clock_timestamp(), rows = '[]'
    where id = ${id} and begun_at is null`.execute(trx);
}

export function findPermit(trx: Trx, serverId: string, id: string): Promise<StoredPermit | undefined> {
  return selectPermits(trx).where('p.server_id', '=', serverId).where('p.id', '=', id).executeTakeFirst();
}

export function lockPermit(trx: Trx, serverId: string, id: string): Promise<StoredPermit | undefined> {
  return selectPermits(trx)
    .where('p.server_id', '=', serverId)
    .where('p.id', '=', id)
    .forUpdate(['p'])
    .executeTakeFirst();
}

export async function addPermit(trx: Trx, { rows, ...permit }: NewPermit): Promise<void> {
  await trx
    .insertInto('connected_permits')
    .values({ ...permit, rows: JSON.stringify(rows), issued_at: sql<Date>`clock_timestamp()` })
    .execute();
}

export async function setBegun(trx: Trx, id: string): Promise<void> {
  await trx
    .updateTable('connected_permits')
    .set({ begun_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .execute();
}

export async function countGiven(trx: Trx, id: string): Promise<void> {
  await sql`update connected_permits set given = given + 1 where id = ${id}`.execute(trx);
}

export async function countAttempt(trx: Trx, id: string): Promise<void> {
  await sql`update connected_permits set attempts = attempts + 1 where id = ${id}`.execute(trx);
}

export async function closePermit(trx: Trx, id: string): Promise<void> {
  await sql`update connected_permits set closed_at = clock_timestamp(), rows = '[]' where id = ${id}`.execute(trx);
}

/** For a restored workspace, with a schema of any version: what was begun before the backup has ended since. */
export const CLOSE_ALL_PERMITS = `do $$ begin
  if to_regclass('connected_permits') is not null then
    update connected_permits set closed_at = now() where closed_at is null;
  end if;
end $$`;
