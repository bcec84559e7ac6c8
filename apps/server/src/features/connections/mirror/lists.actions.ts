import type { Answer, Received } from '@steward/contract/api/endpoint';
import type {
  addListPage,
  finishList,
  RemoteChannel,
  RemoteUser,
  startList,
} from '@steward/contract/connections/connector';
import type { Trx } from '#platform/database/database.ts';
import { refuse } from '#platform/http/errors.ts';
import { listMappings, type StoredMapping } from '../mappings.store.ts';
import { setListed } from '../servers.store.ts';
import * as store from './mirror.store.ts';

type Page = Received<typeof addListPage>['body'];

export async function beginList(
  trx: Trx,
  serverId: string,
  list: Received<typeof startList>['body'],
): Promise<Answer<typeof startList>> {
  const channelId = list.kind === 'messages' ? list.channel_id : '';
  if (channelId !== '' && !(await store.hasChannel(trx, serverId, channelId))) refuse('record.not_found');
  return { list_id: await store.addList(trx, serverId, { kind: list.kind, channelId }) };
}

/** The last page may be repeated, because its response can get lost. */
export async function addPage(
  trx: Trx,
  serverId: string,
  { listId, page, body }: { listId: string; page: number; body: Page },
): Promise<Answer<typeof addListPage>> {
  const list = await store.lockList(trx, serverId, listId);
  if (!list || (page !== list.next_page && page !== list.next_page - 1)) refuse('connector.list_order');
  if (body[list.kind] === undefined) refuse('request.invalid', `${list.kind}: is required`);
  const place = { serverId, listId };
  const taken = await savePage(trx, { ...place, channelId: list.channel_id }, body);
  if (page === list.next_page) await store.countPage(trx, { serverId, id: listId }, taken.taken);
  return taken;
}

async function savePage(
  trx: Trx,
  place: { serverId: string; listId: string; channelId: string },
  { users, channels, messages }: Page,
): Promise<{ taken: number; left_out: number }> {
  if (messages !== undefined) {
    // The channel may have moved to a team that isn't governed here.
    if (!(await store.hasChannel(trx, place.serverId, place.channelId))) refuse('record.not_found');
    await store.saveMessages(trx, place, withoutRepeats(messages));
    return { taken: messages.length, left_out: 0 };
  }
  const mappings = (await listMappings(trx, place.serverId)).filter(({ accepted_at }) => accepted_at > 0);
  if (users !== undefined) return saveGovernedUsers(trx, place, { users, mappings });
  return saveGovernedChannels(trx, place, { channels: channels ?? [], mappings });
}

async function saveGovernedUsers(
  trx: Trx,
  place: { serverId: string; listId: string },
  { users, mappings }: { users: readonly RemoteUser[]; mappings: readonly StoredMapping[] },
) {
  const mapped = new Set(mappings.map(({ remote_id }) => remote_id));
  // Everyone can write direct messages.
  const governsAll = mappings.some(({ direct_messages }) => direct_messages);
  const isGoverned = ({ team_ids }: RemoteUser) => governsAll || team_ids.some((id) => mapped.has(id));
  const [governed, others] = split(withoutRepeats(users), isGoverned);
  await store.saveUsers(trx, place, governed);
  await store.markUsersLeft(
    trx,
    place.serverId,
    others.map(({ id }) => id),
  );
  return { taken: governed.length, left_out: others.length };
}

async function saveGovernedChannels(
  trx: Trx,
  place: { serverId: string; listId: string },
  { channels, mappings }: { channels: readonly RemoteChannel[]; mappings: readonly StoredMapping[] },
) {
  const governor = ({ type, team_id }: RemoteChannel) =>
    mappings.find((mapping) => (type === 'D' || type === 'G' ? mapping.direct_messages : mapping.remote_id === team_id))
      ?.team_id;
  const [governed, others] = split(withoutRepeats(channels), (channel) => governor(channel) !== undefined);
  const rows = governed.map((channel) => ({ ...channel, governed_by: governor(channel) ?? '' }));
  await store.saveChannels(trx, place, rows);
  await store.removeChannels(
    trx,
    place.serverId,
    others.map(({ id }) => id),
  );
  return { taken: governed.length, left_out: others.length };
}

export async function endCompleteList(
  trx: Trx,
  serverId: string,
  { listId, body: { pages, hint, seconds, failed } }: { listId: string; body: Received<typeof finishList>['body'] },
): Promise<Answer<typeof finishList>> {
  const list = await store.lockList(trx, serverId, listId);
  if (!list || list.next_page !== pages) refuse('connector.list_order');
  const { id, kind, channel_id: channelId } = list;
  if (failed) {
    await store.endFailedList(trx, serverId, { id, channelId });
    return { removed: 0 };
  }
  if (kind === 'messages')
    return { removed: await store.endMessageList(trx, serverId, { id, channelId, hint, seconds }) };
  await setListed(trx, serverId, kind);
  return { removed: await store.endList(trx, serverId, { id, kind }) };
}

/** PostgreSQL can't write a row twice in one statement. The last description counts. */
export function withoutRepeats<Row extends { id: string }>(rows: readonly Row[]): Row[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

function split<Row>(rows: readonly Row[], belongs: (row: Row) => boolean): [Row[], Row[]] {
  return [rows.filter(belongs), rows.filter((row) => !belongs(row))];
}
