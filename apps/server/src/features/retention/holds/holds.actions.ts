import type { Answer, AnyEndpoint, Received } from '@steward/contract/api/endpoint';
import { HOLD_RELEASE_MS, HOLDS_MAX } from '@steward/contract/api/limits';
import type { HeldCount } from '@steward/contract/retention/fields';
import type * as endpoints from '@steward/contract/retention/holds';
import type { Hold } from '@steward/contract/retention/holds';
import type { Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { queueMail } from '#platform/mail/mail.ts';
import type { AuditEvent } from '#workspace/audit/audit.store.ts';
import type { Changed } from '#workspace/changes/change.ts';
import { getChannels, getPeople, type HoldScope } from '#workspace/content/holds/active-holds.rules.ts';
import { countBegunRows } from '#workspace/content/holds/connected-held.store.ts';
import { listActiveHolds } from '#workspace/content/holds/held.store.ts';
import {
  addHold,
  countActiveHolds,
  findHold,
  findUnknownChannels,
  findUnknownConnectedChannels,
  findUnknownConnectedUsers,
  findUnknownUsers,
  type HoldKey,
  lockForHolds,
  type StoredHold,
  setRelease,
  widenHold,
} from '#workspace/content/holds/holds.store.ts';
import { listOwners } from '#workspace/users/managers.store.ts';
import { getTeam, getTeamName } from '#workspace/users/teams.store.ts';
import { findUserName } from '#workspace/users/users.store.ts';
import { holdReleasedMail } from './holds.mail.ts';

interface HoldChange<E extends AnyEndpoint> {
  teamId: string;
  actorId: string;
  body: Received<E>['body'];
}

type Existing<E extends AnyEndpoint> = HoldChange<E> & { holdId: string };

/** Once this returns, nothing that the hold covers is deleted. */
export async function createHold(
  trx: Trx,
  { teamId, actorId, body: { confirm, ...hold } }: HoldChange<typeof endpoints.addHold>,
): Promise<Changed<typeof endpoints.addHold>> {
  await lockForHolds(trx, teamId);
  await requireConfirmation(trx, { teamId, confirm, scope: hold });
  await requireKnown(trx, teamId, hold);
  if ((await countActiveHolds(trx, teamId)) >= HOLDS_MAX) refuse('holds.too_many');
  const key = { teamId, id: newId() };
  await addHold(trx, { ...key, createdBy: actorId }, hold);
  const stored = await requireHold(trx, key, actorId);
  const audit = { action: 'holds.created', teamId, actorId, target: key.id, details: toDetails(stored) } as const;
  return { answer: toAnswer(stored, { begun: await countBegun(trx, key) }), audit };
}

/** Renames or widens a hold. Absent fields are unchanged. This cancels a release. */
export async function changeHold(
  trx: Trx,
  { teamId, actorId, holdId, body: { confirm, ...changes } }: Existing<typeof endpoints.saveHold>,
): Promise<Changed<typeof endpoints.saveHold>> {
  await lockForHolds(trx, teamId);
  const key = { teamId, id: holdId };
  const before = await requireHold(trx, key, actorId);
  if (before.is_released) refuse('holds.released');
  if (before.run_id !== '') refuse('holds.automatic');
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const hold = { ...before, ...(given as Partial<StoredHold>) };
  if (hold.from !== null && hold.to !== null && hold.from >= hold.to)
    refuse('request.invalid', 'to: must be after from');
  if (!covers(hold, before)) refuse('holds.narrower');
  if (!isWholeTeam(before)) await requireConfirmation(trx, { teamId, confirm, scope: hold });
  await requireKnown(trx, teamId, onlyNew(hold, before));
  const isSame = covers(before, hold) && before.name === hold.name && before.reason === hold.reason;
  if (isSame && before.release_at === null) return { answer: toAnswer(before), audit: null };
  await widenHold(trx, key, hold);
  const after = await requireHold(trx, key, actorId);
  const details = { before: toDetails(before), after: toDetails(after) };
  const audit = { action: 'holds.saved', teamId, actorId, target: holdId, details } as const;
  return { answer: toAnswer(after, { begun: await countBegun(trx, key) }), audit };
}

/** Ends a hold after 24 hours (one that the server added, immediately) and emails the owners. A repeated call changes nothing. */
export async function releaseHold(
  trx: Trx,
  deps: Deps,
  { teamId, actorId, holdId, body }: Existing<typeof endpoints.releaseHold>,
): Promise<Changed<typeof endpoints.releaseHold>> {
  await lockForHolds(trx, teamId);
  const key = { teamId, id: holdId };
  const before = await requireHold(trx, key, actorId);
  if (before.is_released) refuse('holds.released');
  const isAutomatic = before.run_id !== '';
  if (before.release_at !== null && !isAutomatic) return { answer: toAnswer(before), audit: null };
  const delayMs = isAutomatic ? 0 : HOLD_RELEASE_MS;
  await setRelease(trx, key, { delayMs, reason: body.reason, releasedBy: actorId });
  const after = await requireHold(trx, key, actorId);
  if (!isAutomatic) await mailOwners(trx, deps, { teamId, actorId, hold: after, reason: body.reason });
  const details = { reason: body.reason, before: toDetails(before), after: toDetails(after) };
  const audit: AuditEvent = { action: 'holds.released', teamId, actorId, target: holdId, details };
  return { answer: toAnswer(after), audit };
}

async function countBegun(trx: Trx, { teamId, id }: HoldKey): Promise<number> {
  const hold = (await listActiveHolds(trx, teamId)).find((active) => active.id === id);
  return hold ? countBegunRows(trx, teamId, hold) : 0;
}

export async function requireHold(trx: Trx, key: HoldKey, readerId: string): Promise<StoredHold> {
  return (await findHold(trx, key, readerId)) ?? refuse('record.not_found');
}

async function requireConfirmation(
  trx: Trx,
  { teamId, confirm, scope }: { teamId: string; confirm: string | undefined; scope: HoldScope },
): Promise<void> {
  if (isWholeTeam(scope) && confirm !== (await getTeamName(trx, teamId))) refuse('holds.confirm');
}

/** Only new ids are validated: users that the team has erased since then may remain in a hold. */
function onlyNew(hold: HoldScope, before: HoldScope): HoldScope {
  const without = (ids: readonly string[], known: readonly string[]) => {
    const had = new Set(known);
    return ids.filter((id) => !had.has(id));
  };
  return {
    ...hold,
    user_ids: without(hold.user_ids, before.user_ids),
    channel_ids: without(hold.channel_ids, before.channel_ids),
    connected_user_ids: without(hold.connected_user_ids, before.connected_user_ids),
    connected_channel_ids: without(hold.connected_channel_ids, before.connected_channel_ids),
  };
}

async function requireKnown(trx: Trx, teamId: string, scope: HoldScope): Promise<void> {
  const [user] = await findUnknownUsers(trx, teamId, scope.user_ids);
  if (user !== undefined) refuse('request.invalid', `user_ids: ${user} was never a member of this team`);
  const [channel] = await findUnknownChannels(trx, teamId, scope.channel_ids);
  if (channel !== undefined) refuse('request.invalid', `channel_ids: ${channel} is not a channel of this team`);
  const [author] = await findUnknownConnectedUsers(trx, teamId, scope.connected_user_ids);
  if (author !== undefined) refuse('request.invalid', `connected_user_ids: ${author} was never in this team there`);
  const [place] = await findUnknownConnectedChannels(trx, teamId, scope.connected_channel_ids);
  if (place !== undefined) refuse('request.invalid', `connected_channel_ids: ${place} is not a channel of this team`);
}

/** Maximum ids of a list in an audit row. */
const AUDITED_IDS = 100;

function toDetails({ name, reason, user_ids, channel_ids, settings, from, to, release_at, ...hold }: StoredHold) {
  const { connected_user_ids, connected_channel_ids } = hold;
  return {
    name,
    reason,
    settings: [...settings],
    from,
    to,
    release_at,
    user_count: user_ids.length,
    user_ids: user_ids.slice(0, AUDITED_IDS),
    channel_count: channel_ids.length,
    channel_ids: channel_ids.slice(0, AUDITED_IDS),
    connected_user_count: connected_user_ids.length,
    connected_user_ids: connected_user_ids.slice(0, AUDITED_IDS),
    connected_channel_count: connected_channel_ids.length,
    connected_channel_ids: connected_channel_ids.slice(0, AUDITED_IDS),
  };
}

/** The response to a change omits the covered items and the export. */
export function toAnswer(
  { is_released, release_at, ...hold }: StoredHold,
  { held = null, newest = null, begun = 0 }: { held?: HeldCount | null; newest?: Hold['export']; begun?: number } = {},
): Hold {
  return {
    ...hold,
    user_ids: [...hold.user_ids],
    channel_ids: [...hold.channel_ids],
    connected_user_ids: [...hold.connected_user_ids],
    connected_channel_ids: [...hold.connected_channel_ids],
    begun,
    settings: [...hold.settings],
    held,
    export: newest,
    release_at,
    automatic: hold.run_id !== '',
    released_at: is_released ? release_at : null,
  } satisfies Answer<typeof endpoints.addHold>;
}

async function mailOwners(
  trx: Trx,
  deps: Deps,
  { teamId, actorId, hold, reason }: { teamId: string; actorId: string; hold: StoredHold; reason: string },
): Promise<void> {
  const { display_name: team, time_zone: timeZone } = await getTeam(trx, teamId);
  const by = await findUserName(trx, actorId);
  const about = { teamId, team, by, name: hold.name, reason, endsAt: hold.release_at ?? 0, timeZone };
  for (const { id, email } of await listOwners(trx, teamId)) {
    const mail = holdReleasedMail(deps.env, { to: email, ...about });
    await queueMail(trx, deps, { kind: 'holds.released', teamId, userId: id, mail });
  }
}

/** True for a hold over everything in the team, or everything between two dates. */
function isWholeTeam(scope: HoldScope): boolean {
  return getPeople(scope).length === 0 && getChannels(scope).length === 0 && scope.settings.length === 0;
}

/** An empty list covers everything. */
function coversList(list: readonly string[], other: readonly string[]): boolean {
  if (list.length === 0) return true;
  const listed = new Set(list);
  return other.length > 0 && other.every((id) => listed.has(id));
}

function covers(scope: HoldScope, other: HoldScope): boolean {
  return (
    coversList(getPeople(scope), getPeople(other)) &&
    coversList(getChannels(scope), getChannels(other)) &&
    coversList(scope.settings, other.settings) &&
    (scope.from === null || (other.from !== null && scope.from <= other.from)) &&
    (scope.to === null || (other.to !== null && scope.to >= other.to))
  );
}
