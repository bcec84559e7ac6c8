import { type Database, inTransaction, type Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { Secrets } from '#platform/security/secrets.ts';
import { removePending } from './audit.store.ts';
import { type AuditKeys, keepKeys, readAuditKeys } from './audit-keys.ts';
import {
  addChainLinks,
  countPending,
  countUnsigned,
  findServerHead,
  hasPending,
  listHeads,
  listPending,
  lockChains,
  type NewChainLink,
  type PendingEvent,
  saveHeads,
  saveServerHead,
} from './chain.store.ts';
import {
  type ChainedEvent,
  type ChainHead,
  digestContent,
  digestLink,
  digestServer,
  getKeyId,
  isSignedBy,
  type ServerHead,
  sealHead,
  sealServerHead,
} from './chain-digests.ts';
import { countUnsent } from './sink/sink.store.ts';

const BATCH = 500;

export interface Sealed {
  sealed: number;
  /** Rows that no process with the key wrote. They stay outside of the chain, where verifying names them. */
  refused: number;
  /** Rows signed with a key that this process doesn't have. */
  unknown: number;
}

/**
 * Adds committed rows to the chains. One process at a time does it, in one transaction for each batch, so a crash
 * leaves a row either in the chain or waiting. If another process does it already, this one returns at once.
 */
export async function sealAuditRows(db: Database, secrets: Secrets): Promise<Sealed> {
  const total: Sealed = { sealed: 0, refused: 0, unknown: 0 };
  if (!(await hasPending(db))) return total;
  let after: string | undefined = '';
  while (after !== undefined) {
    const from: string = after;
    after = await inTransaction(db, async (trx) => {
      if (!(await lockChains(trx))) return undefined;
      const rows = await listPending(trx, { after: from, limit: BATCH });
      if (rows.length > 0) add(total, await sealBatch(trx, secrets, rows));
      return rows.length === BATCH ? rows.at(-1)?.id : undefined;
    });
  }
  return total;
}

function add(total: Sealed, { sealed, refused, unknown }: Sealed): void {
  total.sealed += sealed;
  total.refused += refused;
  total.unknown += unknown;
}

async function sealBatch(trx: Trx, secrets: Secrets, rows: readonly PendingEvent[]): Promise<Sealed> {
  await keepKeys(trx, secrets);
  const keys = await readAuditKeys(trx, secrets);
  const judged = rows.map((row) => ({ row, verdict: judge(keys, row) }));
  const accepted = judged.filter(({ verdict }) => verdict === 'sealed').map(({ row }) => row);
  if (accepted.length > 0) await extend(trx, keys, accepted);
  const done = judged.filter(({ verdict }) => verdict !== 'unknown').map(({ row }) => row);
  await removePending(trx, done);
  const count = (wanted: string) => judged.filter(({ verdict }) => verdict === wanted).length;
  return { sealed: count('sealed'), refused: count('refused'), unknown: count('unknown') };
}

function judge(keys: AuditKeys, row: PendingEvent): keyof Sealed {
  // Removed before it was sealed: its place in the chain shows that there was one.
  if (row.at === null) return 'sealed';
  const id = getKeyId(row.signature);
  if (id === undefined || row.signature === null) return 'refused';
  const key = keys.find(id);
  if (key === undefined) return 'unknown';
  return isSignedBy(key, toChained(row), row.signature) ? 'sealed' : 'refused';
}

const toChained = (row: PendingEvent): ChainedEvent => ({ ...row, action: row.action ?? '' });

/** Adds rows to the chain of their team and to that over all teams, and moves the heads. */
async function extend(trx: Trx, { current: key }: AuditKeys, rows: readonly PendingEvent[]): Promise<void> {
  const server = (await findServerHead(trx)) ?? { number: 0, digest: '' };
  if (server.number === 0) await begin(trx, { current: key });
  const teams = [...new Set(rows.map(({ team_id }) => team_id))];
  const heads = new Map((await listHeads(trx, teams)).map((head) => [head.team_id, head as ChainHead]));
  const links = rows.map((row) => appendLink(key, row, { heads, server }));
  await addChainLinks(trx, links);
  await saveHeads(
    trx,
    teams
      .flatMap((team) => heads.get(team) ?? [])
      .map((head) => ({ ...head, key_id: key.id, seal: sealHead(key, head) })),
  );
  const { number, digest } = server;
  await saveServerHead(trx, { number, digest, key_id: key.id, seal: sealServerHead(key, { number, digest }) });
}

function appendLink(
  key: AuditKeys['current'],
  row: PendingEvent,
  ends: { heads: Map<string, ChainHead>; server: ServerHead },
): NewChainLink {
  const head = ends.heads.get(row.team_id) ?? { team_id: row.team_id, count: 0, digest: '', earlier: 0 };
  const { details, address, request_id } = row;
  const content = digestContent(key, {
    details: details ?? '',
    address: address ?? '',
    request_id: request_id ?? '',
  });
  const [position, number] = [head.count + 1, ends.server.number + 1];
  const at = row.at ?? '';
  const digest = digestLink(key, toChained(row), { position, number, previous: head.digest, content, at });
  ends.heads.set(row.team_id, { ...head, count: position, digest });
  ends.server.number = number;
  ends.server.digest = digestServer(key, ends.server.digest, digest);
  return { team_id: row.team_id, position, number, event_id: row.id, key_id: key.id, content, digest };
}

/** Records the number of rows from before the chain, so that none can be added to them. */
async function begin(trx: Trx, { current: key }: Pick<AuditKeys, 'current'>): Promise<void> {
  const heads = (await countUnsigned(trx)).map(({ team_id, count }) => {
    const head = { team_id, count: 0, digest: '', earlier: count };
    return { ...head, key_id: key.id, seal: sealHead(key, head) };
  });
  if (heads.length > 0) await saveHeads(trx, heads);
}

/** Rows of the audit log that wait for the chain and, with AUDIT_SINK, to be sent. */
export async function countAuditRows({
  db,
  env,
}: Pick<Deps, 'db' | 'env'>): Promise<{ state: string; count: number }[]> {
  const counts = [{ state: 'unchained', count: await countPending(db) }];
  if (env.AUDIT_SINK !== undefined) counts.push({ state: 'unsent', count: await countUnsent(db) });
  return counts;
}
