import type { RetentionKind } from '@steward/contract/retention/fields';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '#platform/database/database.ts';
import { type ActiveHold, holdsOn } from '#workspace/content/holds/active-holds.rules.ts';
import { isHeld } from '#workspace/content/holds/held.store.ts';
import type { ItemPlace } from '#workspace/content/items.store.ts';
import { nameInTeam } from '#workspace/users/users.store.ts';

/** `blob` is the key of the content in the blob store. It isn't exported. */
export interface HeldRow {
  id: string;
  name?: string;
  blob?: string | null;
  [column: string]: unknown;
}

const PAGE = 1_000;

const SHARED = 'i.id, i.external_id, i.create_at, i.update_at, i.delete_at';
const COLUMNS = {
  messages: `${SHARED}, i.channel_id, c.display_name as channel_name, i.channel_type, i.text, i.root_id,
    i.root_id <> '' and not exists (
      select 1 from messages r where r.team_id = i.team_id and r.id = i.root_id) as root_deleted,
    i.file_ids, i.props`,
  files: `${SHARED}, i.channel_id, c.display_name as channel_name, i.post_id, i.name, i.size, i.digest, i.blob`,
  records: `${SHARED}, i.kind, i.title, i.text, i.name, i.size, i.digest, i.clock, i.blob`,
} as const;

function isAt(place: ItemPlace): RawBuilder<unknown> {
  if (place.table === 'messages') return sql`channel_type = ${place.type}`;
  return place.table === 'records' ? sql`kind = ${place.kind} and not doomed` : sql`not doomed`;
}

/** Rows are in order of id, with the names of authors and channels. */
export async function* readHeldRows(
  db: Database,
  { teamId, hold, kind, place }: { teamId: string; hold: ActiveHold; kind: RetentionKind; place: ItemPlace },
): AsyncIterable<HeldRow> {
  const held = isHeld(teamId, holdsOn(kind, [hold]), { table: place.table });
  if (held === undefined) return;
  const author = nameInTeam({ team: 'i.team_id', user: 'i.user_id', users: 'p' });
  const channel =
    place.table === 'records' ? sql`` : sql`left join channels c on c.team_id = i.team_id and c.id = i.channel_id`;
  for (let after = ''; ; ) {
    const { rows } = await sql<HeldRow>`select ${sql.raw(COLUMNS[place.table])}, i.user_id, ${author} as author_name
      from (select * from ${sql.table(place.table)} where team_id = ${teamId} and ${isAt(place)} and id > ${after} and ${held}
        order by id limit ${PAGE}) i
      left join people p on p.id = i.user_id ${channel} order by i.id`.execute(db);
    yield* rows;
    if (rows.length < PAGE) return;
    after = rows.at(-1)?.id ?? '';
  }
}
