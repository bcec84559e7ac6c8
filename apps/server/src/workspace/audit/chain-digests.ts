import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

export interface ChainKey {
  id: string;
  key: Buffer;
}

/** The part of a row that never changes, not even when a user is erased. */
export interface ChainedEvent {
  team_id: string;
  id: string;
  actor_id: string | null;
  action: string;
  target: string | null;
}

/** The part that erasing a user may rewrite; `details` as the database writes it. */
export interface EventContent {
  details: string;
  address: string;
  request_id: string;
}

export interface ChainHead {
  team_id: string;
  count: number;
  digest: string;
  /** Number of rows from before the chain. */
  earlier: number;
}

export interface ServerHead {
  number: number;
  digest: string;
}

export interface ChainLink {
  position: number;
  number: number;
  /** Digest of the position before; '' at the start. */
  previous: string;
  content: string;
  /** Time of the row in UTC, to the microsecond. */
  at: string;
}

/** The id doesn't reveal the key. */
export function toChainKey(key: Buffer): ChainKey {
  return { id: createHash('sha256').update('steward:audit-key-id').update(key).digest('hex').slice(0, 16), key };
}

export function signEvent(key: ChainKey, event: ChainedEvent): string {
  const { team_id, id, actor_id, action, target } = event;
  return `${key.id}.${mac(key, 'event', [team_id, id, actor_id, action, target])}`;
}

/** Undefined for a row without a signature. */
export function getKeyId(signature: string | null): string | undefined {
  return signature?.split('.')[0];
}

export function isSignedBy(key: ChainKey, event: ChainedEvent, signature: string): boolean {
  return isSame(signEvent(key, event), signature);
}

/** MAC of the part of a row that may be rewritten. */
export function digestContent(key: ChainKey, { details, address, request_id }: EventContent): string {
  return mac(key, 'content', [details, address, request_id]);
}

/** Everything before the position is part of its digest. */
export function digestLink(key: ChainKey, event: ChainedEvent, link: ChainLink): string {
  const { team_id, id, actor_id, action, target } = event;
  const { previous, number, position, at, content } = link;
  return mac(key, 'link', [previous, number, position, team_id, id, at, actor_id, action, target, content]);
}

export function digestServer(key: ChainKey, previous: string, digest: string): string {
  return mac(key, 'server', [previous, digest]);
}

/** Only a process with the key can move a head that is sealed. */
export function sealHead(key: ChainKey, { team_id, count, digest, earlier }: ChainHead): string {
  return mac(key, 'head', [team_id, count, digest, earlier]);
}

export function sealServerHead(key: ChainKey, { number, digest }: ServerHead): string {
  return mac(key, 'server-head', [number, digest]);
}

/** Compares two MACs in constant time. */
export function isSame(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}

function mac({ key }: ChainKey, use: string, parts: readonly unknown[]): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([use, ...parts]))
    .digest('hex');
}
