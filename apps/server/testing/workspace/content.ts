import { createHash } from 'node:crypto';
import type { ChannelType } from '@steward/contract/channels';
import { addContent, ContentKind, type RecordKind } from '@steward/contract/content';
import { sql } from 'kysely';
import { newBlobKey } from '#platform/blobs/blobs.ts';
import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { call, type Reply } from '#testing/app/call.ts';
import type { TestApp } from '#testing/app/start-app.ts';
import { addServiceToken, type NewServiceToken } from '#workspace/access/tokens.store.ts';

/** A time that every rule in the tests covers. */
const LONG_AGO = Date.UTC(2024, 0, 1, 12);

export interface TestChannel {
  id: string;
  type: ChannelType;
  name: string;
}

interface ChannelOptions {
  type?: ChannelType;
  members?: readonly string[];
  name?: string;
  displayName?: string;
  deleteAt?: number;
}

export async function channel(node: TestApp, teamId: string, options: ChannelOptions = {}): Promise<TestChannel> {
  const { type = 'O', members = [], deleteAt = 0 } = options;
  const id = newId();
  const { name = `channel-${id}`, displayName = name } = options;
  const times = { create_at: LONG_AGO, update_at: LONG_AGO, delete_at: deleteAt };
  const row = { team_id: teamId, id, type, name, display_name: displayName, ...times };
  await node.db.insertInto('channels').values(row).execute();
  const rows = members.map((person_id) => ({ team_id: teamId, channel_id: id, person_id, create_at: LONG_AGO }));
  if (rows.length > 0) await node.db.insertInto('channel_members').values(rows).execute();
  return { id, type, name };
}

/** Lets a user read a channel for an hour. The user is the granter by default. */
export async function complianceAccess(
  node: TestApp,
  teamId: string,
  { channelId, userId, grantedBy = userId }: { channelId: string; userId: string; grantedBy?: string },
): Promise<void> {
  await sql`insert into compliance_access (team_id, channel_id, person_id, granted_by, reason, expires_at)
    values (${teamId}, ${channelId}, ${userId}, ${grantedBy}, 'An investigation',
      now() + interval '1 hour')`.execute(node.db);
}

export async function findGeneralChannel(node: Pick<TestApp, 'db'>, teamId: string): Promise<TestChannel> {
  const ofTeam = node.db.selectFrom('channels').select(['id', 'type', 'name']).where('team_id', '=', teamId);
  return ofTeam.where('name', '=', 'general').executeTakeFirstOrThrow();
}

/** Options of all content factories; times in milliseconds. */
interface ItemOptions {
  userId?: string;
  externalId?: string;
  /** None by default, as for content from before sources existed. */
  sourceId?: string;
  createAt?: number;
  /** Time of the deletion mark; 0 by default. */
  deleteAt?: number;
}

function toItem(teamId: string, options: ItemOptions) {
  const { userId = '', externalId = null, sourceId = null, createAt = LONG_AGO, deleteAt = 0 } = options;
  const by = { user_id: userId, external_id: externalId, source_id: sourceId };
  return { team_id: teamId, id: newId(), ...by, create_at: createAt, update_at: createAt, delete_at: deleteAt };
}

export async function message(
  node: TestApp,
  teamId: string,
  options: ItemOptions & { channel: TestChannel; text?: string; rootId?: string },
): Promise<string> {
  const { channel: place, text = 'Good morning', rootId = '' } = options;
  const item = { ...toItem(teamId, options), text, size: Buffer.byteLength(text), root_id: rootId };
  const row = { ...item, channel_id: place.id, channel_type: place.type };
  await node.db.insertInto('messages').values(row).execute();
  return item.id;
}

interface BlobOptions {
  data?: string | Uint8Array;
  /** Bytes; by default the size of `data`, or 1,000. */
  size?: number;
}

/** Creates a file of the team, outside any channel by default. */
export async function file(
  node: TestApp,
  teamId: string,
  options: ItemOptions & BlobOptions & { channel?: Pick<TestChannel, 'id'>; name?: string } = {},
) {
  const { channel: place, name = 'minutes.txt' } = options;
  const content = await storeBlob(node, { teamId, kind: 'file', ...options });
  const row = { ...toItem(teamId, options), ...content, channel_id: place?.id ?? '', name };
  await node.db.insertInto('files').values(row).execute();
  return row;
}

/** Creates a record. Retention counts from `clock`, by default its creation; null for an open note or task. */
export async function record(
  node: TestApp,
  teamId: string,
  options: ItemOptions & BlobOptions & { kind: RecordKind; clock?: number | null; title?: string; text?: string },
) {
  const { kind, createAt = LONG_AGO, clock = createAt, title = `A ${kind}`, text = '' } = options;
  const content = await storeBlob(node, { teamId, ...options });
  const row = { ...toItem(teamId, options), ...content, kind, clock, title, text };
  await node.db.insertInto('records').values(row).execute();
  return row;
}

async function storeBlob(node: TestApp, options: BlobOptions & { teamId: string; kind: string }) {
  if (options.data === undefined) return { blob: null, digest: '', size: options.size ?? 1_000 };
  const data = Buffer.from(options.data);
  const blob = newBlobKey(options.teamId, options.kind);
  await node.deps.blobs.put(blob, data);
  return { blob, digest: createHash('sha256').update(data).digest('base64url'), size: options.size ?? data.length };
}

export async function isKept(node: TestApp, key: string | null): Promise<boolean> {
  if (key === null) return false;
  const content = await node.deps.blobs.get(key);
  content?.destroy();
  return content !== undefined;
}

export type TestService = Awaited<ReturnType<typeof serviceToken>>;

/** Every scope by default, as for a team without an owner. */
export async function serviceToken(node: TestApp, teamId: string, options: Partial<NewServiceToken> = {}) {
  const defaults = { name: 'Chat service', createdBy: null, kinds: ContentKind.options, speakForUsers: true };
  const [expiresAt, sourceId] = [Date.now() + 365 * 86_400_000, options.sourceId ?? newId()];
  const added = await inTransaction(node.db, (trx) =>
    addServiceToken(trx, { ...defaults, expiresAt, ...options, sourceId, teamId }),
  );
  return { teamId, sourceId, ...added, headers: { authorization: `Bearer ${added.token}` } };
}

/** Imports content like a service: one line per object, or the given body. */
export function ingest(
  node: TestApp,
  service: Pick<TestService, 'teamId' | 'headers'>,
  body: string | readonly object[],
): Promise<Reply> {
  return call(node, addContent, {
    params: { teamId: service.teamId },
    headers: { ...service.headers, 'content-type': 'application/x-ndjson' },
    text: typeof body === 'string' ? body : body.map((line) => `${JSON.stringify(line)}\n`).join(''),
  });
}
