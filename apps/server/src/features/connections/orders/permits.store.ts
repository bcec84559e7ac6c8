import { PERMIT_SECONDS } from '@steward/contract/api/limits';
import { sql } from 'kysely';
import type { Trx } from '#platform/database/database.ts';

export interface StoredPermit {
  id: string;
  order_id: string;
  server_id: string;
  channel_id: string;
  row_ids: string[];
  is_whole: boolean;
  is_begun: boolean;
  /** It was issued less than two minutes ago. */
  is_valid: boolean;
  is_closed: boolean;
}

const selectPermits = (trx: Trx) =>
  trx
    .selectFrom('connected_permits')
    .select(['id', 'order_id', 'server_id', 'channel_id', 'row_ids', 'is_whole'])
    .select([
      sql<boolean>`begun_at is not null`.as('is_begun'),
      sql<boolean>`issued_at > clock_timestamp() - make_interval(secs => ${PERMIT_SECONDS})`.as('is_valid'),
      sql<boolean>`closed_at is not null`.as('is_closed'),
    ]);

/** The permit of a server that isn't closed; a server has one at a time. */
export function findOpenPermit(trx: Trx, serverId: string): Promise<StoredPermit | undefined> {
  return selectPermits(trx).where('server_id', '=', serverId).where('closed_at', 'is', null).executeTakeFirst();
}

/** Closes a permit unless it was begun. */
export async function voidPermit(trx: Trx, id: string): Promise<void> {
  await trx
    .updateTable('connected_permits')
    .set({ closed_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .where('begun_at', 'is', null)
    .execute();
}

export function findPermit(trx: Trx, serverId: string, id: string): Promise<StoredPermit | undefined> {
  return selectPermits(trx).where('server_id', '=', serverId).where('id', '=', id).executeTakeFirst();
}

export function lockPermit(trx: Trx, serverId: string, id: string): Promise<StoredPermit | undefined> {
  return selectPermits(trx).where('server_id', '=', serverId).where('id', '=', id).forUpdate().executeTakeFirst();
}

export async function addPermit(
  trx: Trx,
  permit: Pick<StoredPermit, 'id' | 'order_id' | 'server_id' | 'channel_id' | 'row_ids' | 'is_whole'>,
): Promise<void> {
  await trx
    .insertInto('connected_permits')
    .values({ ...permit, issued_at: sql<Date>`clock_timestamp()` })
    .execute();
}

export async function setBegun(trx: Trx, id: string): Promise<void> {
  await trx
    .updateTable('connected_permits')
    .set({ begun_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .execute();
}

export async function closePermit(trx: Trx, id: string): Promise<void> {
  await trx
    .updateTable('connected_permits')
    .set({ closed_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .execute();
}

/** For a restored workspace, with a schema of any version: what was begun before the backup has ended since. */
export const CLOSE_ALL_PERMITS = `do $$ begin
  if to_regclass('connected_permits') is not null then
    update connected_permits set closed_at = now() where closed_at is null;
  end if;
end $$`;
