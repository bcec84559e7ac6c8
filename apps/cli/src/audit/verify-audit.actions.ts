import type { Database } from '@steward/server/src/platform/database/database.ts';
import type { Secrets } from '@steward/server/src/platform/security/secrets.ts';
import { type AuditKeys, readAuditKeys } from '@steward/server/src/workspace/audit/audit-keys.ts';
import { findServerHead, listHeads } from '@steward/server/src/workspace/audit/chain.store.ts';
import {
  type ChainHead,
  digestContent,
  digestLink,
  digestServer,
  getKeyId,
  isSame,
  isSignedBy,
  sealHead,
  sealServerHead,
} from '@steward/server/src/workspace/audit/chain-digests.ts';
import { countEarlier, type LooseEvent, listLinks, listLoose, type StoredChainLink } from './verify-audit.store.ts';

const BATCH = 1_000;
/** Action of the row after which details of earlier rows may differ: erasing a person rewrites them. */
const ERASED = 'users.erased';

export interface Fault {
  team_id: string;
  /** The row, or the last one before a gap; '' if there is none. */
  id: string;
  problem: string;
  /** Number of the row over all teams; null for a row in no chain. */
  number: number | null;
}

export interface Verified {
  faults: Fault[];
  rows: number;
  /** Rows from before the chain, which can't be verified. */
  unverified: number;
  /** Recent rows that aren't in the chain yet. */
  waiting: number;
  /** Rows whose details were rewritten in a team that erased a user. */
  rewritten: number;
  /** The end of each chain. */
  heads: Pick<ChainHead, 'team_id' | 'count' | 'digest'>[];
  /** Digest over all teams; '' for one team. */
  digest: string;
}

interface Progress {
  count: number;
  digest: string;
  lastId: string;
  isBroken: boolean;
  hasErased: boolean;
  rewritten: { id: string; number: number }[];
}

interface Check {
  keys: AuditKeys;
  team: string | undefined;
  faults: Fault[];
  teams: Map<string, Progress>;
  server: { number: number; digest: string; isBroken: boolean };
  /** A digest that must be in the log. */
  expect: string | undefined;
  isExpectedFound: boolean;
}

/** Recomputes every chain from one snapshot and compares it with the rows, the heads and a digest kept elsewhere. Read-only. */
export async function verifyAuditLog(
  db: Database,
  secrets: Secrets,
  { team, expect }: { team: string | undefined; expect: string | undefined },
): Promise<Verified> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const check: Check = {
        keys: await readAuditKeys(trx, secrets),
        team,
        faults: [],
        teams: new Map(),
        server: { number: 0, digest: '', isBroken: false },
        expect,
        isExpectedFound: expect === undefined,
      };
      await followChains(trx, check);
      const earlier = await checkEarlier(trx, check);
      await checkHeads(trx, check, earlier);
      const waiting = await checkLoose(trx, check);
      return summarize(check, { waiting, earlier });
    });
}

async function followChains(db: Database, check: Check): Promise<void> {
  let after = 0;
  for (;;) {
    const links = await listLinks(db, { team: check.team, after, limit: BATCH });
    for (const link of links) followLink(check, link);
    after = links.at(-1)?.number ?? after;
    if (links.length < BATCH) return;
  }
}

function getProgress(check: Check, team_id: string): Progress {
  const known = check.teams.get(team_id);
  if (known !== undefined) return known;
  const started = { count: 0, digest: '', lastId: '', isBroken: false, hasErased: false, rewritten: [] };
  check.teams.set(team_id, started);
  return started;
}

function followLink(check: Check, link: StoredChainLink): void {
  const at = getProgress(check, link.team_id);
  const problem = at.isBroken ? undefined : findProblem(check, link, at);
  if (problem !== undefined) {
    at.isBroken = true;
    // For a missing row, only its neighbor is known.
    const id = link.position === at.count + 1 ? link.event_id : at.lastId;
    check.faults.push({ team_id: link.team_id, id, problem, number: link.number });
  }
  const key = check.keys.find(link.key_id);
  if (key !== undefined && link.at !== null) {
    const { details, address, request_id } = link;
    const content = digestContent(key, {
      details: details ?? '',
      address: address ?? '',
      request_id: request_id ?? '',
    });
    if (!isSame(content, link.content)) at.rewritten.push({ id: link.event_id, number: link.number });
    at.hasErased ||= link.action === ERASED;
  }
  Object.assign(at, { count: link.position, digest: link.digest, lastId: link.event_id });
  followServer(check, link);
  if (link.digest === check.expect && !at.isBroken) check.isExpectedFound = true;
}

function findProblem(check: Check, link: StoredChainLink, before: Progress): string | undefined {
  if (link.position !== before.count + 1)
    return `rows after this one are missing: position ${before.count} is followed by ${link.position}`;
  if (link.at === null) return `the row at position ${link.position} was removed`;
  const key = check.keys.find(link.key_id);
  if (key === undefined) return `key ${link.key_id} can't be opened: set SECRET_KEY_PREVIOUS and run rotate-key`;
  const event = { ...link, id: link.event_id, action: link.action ?? '' };
  const digest = digestLink(key, event, { ...link, at: link.at, previous: before.digest });
  return isSame(digest, link.digest) ? undefined : `the row at position ${link.position} was changed`;
}

function followServer(check: Check, link: StoredChainLink): void {
  const { server } = check;
  const key = check.keys.find(link.key_id);
  if (check.team !== undefined || key === undefined) return;
  if (link.number !== server.number + 1 && !server.isBroken) {
    server.isBroken = true;
    if (!getProgress(check, link.team_id).isBroken)
      check.faults.push({
        team_id: link.team_id,
        id: link.event_id,
        problem: `rows before this one are missing: number ${server.number} is followed by ${link.number}`,
        number: link.number,
      });
  }
  Object.assign(server, { number: link.number, digest: digestServer(key, server.digest, link.digest) });
  if (server.digest === check.expect && !server.isBroken) check.isExpectedFound = true;
}

/** The heads contain the lengths of the chains. */
async function checkHeads(db: Database, check: Check, earlier: ReadonlyMap<string, number>): Promise<void> {
  const heads = await listHeads(db, check.team === undefined ? undefined : [check.team]);
  if (heads.length === 0 && [...check.teams.values()].every(({ count }) => count === 0)) {
    const problem = 'there is no chain: it begins with the first change after the upgrade';
    if (earlier.size > 0) check.faults.push({ team_id: '', id: '', problem, number: null });
    return;
  }
  for (const head of heads) {
    const at = getProgress(check, head.team_id);
    const key = check.keys.find(head.key_id);
    const problem =
      key === undefined || !isSame(sealHead(key, head), head.seal)
        ? 'the head of the chain was changed'
        : describeHead(head, at, earlier.get(head.team_id) ?? 0);
    if (problem !== undefined && !at.isBroken) {
      at.isBroken = true;
      check.faults.push({ team_id: head.team_id, id: at.lastId, problem, number: null });
    }
  }
  const known = new Set(heads.map(({ team_id }) => team_id));
  for (const [team_id, at] of check.teams) {
    if (known.has(team_id) || at.isBroken || (at.count === 0 && !earlier.has(team_id))) continue;
    at.isBroken = true;
    check.faults.push({ team_id, id: at.lastId, problem: 'the head of the chain is missing', number: null });
  }
  if (check.team === undefined) await checkServerHead(db, check);
}

function describeHead(head: ChainHead, at: Progress, earlier: number): string | undefined {
  if (head.count > at.count) return `rows after this one are missing: there were ${head.count}, there are ${at.count}`;
  if (head.count !== at.count || !isSame(head.digest, at.digest)) return 'the end of the chain was changed';
  if (head.earlier !== earlier) return `there were ${head.earlier} rows from before the chain, there are ${earlier}`;
  return undefined;
}

async function checkServerHead(db: Database, check: Check): Promise<void> {
  const head = await findServerHead(db);
  const { server } = check;
  const fault = (problem: string) => void check.faults.push({ team_id: '', id: '', problem, number: null });
  const isAnyBroken = [...check.teams.values()].some(({ isBroken }) => isBroken);
  if (head === undefined) {
    if (server.number > 0) fault('the head over all teams is missing');
    return;
  }
  const key = check.keys.find(head.key_id);
  if (key === undefined || !isSame(sealServerHead(key, head), head.seal)) fault('the head over all teams was changed');
  else if (head.number !== server.number && !isAnyBroken)
    fault(`rows are missing: there were ${head.number} in all teams, there are ${server.number}`);
  else if (!isAnyBroken && !server.isBroken && !isSame(head.digest, server.digest))
    fault('the order of rows of different teams was changed');
}

/** The heads limit the number of rows without a signature. */
async function checkEarlier(db: Database, check: Check): Promise<Map<string, number>> {
  const counts = await countEarlier(db, check.team);
  for (const { team_id } of counts) getProgress(check, team_id);
  return new Map(counts.map(({ team_id, count }) => [team_id, count]));
}

/** A signed row in no chain either waits for it, or wasn't added by the server. Returns the number of waiting rows. */
async function checkLoose(db: Database, check: Check): Promise<number> {
  let [after, waiting] = ['', 0];
  for (;;) {
    const rows = await listLoose(db, { team: check.team, after, limit: BATCH });
    for (const row of rows) {
      if (isWaiting(check, row)) waiting += 1;
      else
        check.faults.push({
          team_id: row.team_id,
          id: row.id,
          problem: 'the row was not added by the server',
          number: null,
        });
    }
    after = rows.at(-1)?.id ?? after;
    if (rows.length < BATCH) return waiting;
  }
}

function isWaiting({ keys }: Check, row: LooseEvent): boolean {
  const key = keys.find(getKeyId(row.signature) ?? '');
  return row.is_pending && key !== undefined && isSignedBy(key, row, row.signature ?? '');
}

function summarize(check: Check, found: { waiting: number; earlier: ReadonlyMap<string, number> }): Verified {
  const { teams, faults, server } = check;
  const hasErased = [...teams.values()].some((at) => at.hasErased);
  let rewritten = 0;
  for (const [team_id, at] of teams) {
    // Rows that belong to no team are rewritten when the account itself is erased.
    if (at.hasErased || (team_id === '' && hasErased)) rewritten += at.rewritten.length;
    else faults.push(...at.rewritten.map((row) => ({ team_id, ...row, problem: 'details of the row were changed' })));
  }
  if (!check.isExpectedFound)
    faults.push({ team_id: check.team ?? '', id: '', problem: `no row has the digest ${check.expect}`, number: null });
  faults.sort((a, b) => (a.number ?? Infinity) - (b.number ?? Infinity) || 0);
  const chained = [...teams].filter(([, { count }]) => count > 0);
  return {
    faults,
    rows: chained.reduce((total, [, { count }]) => total + count, 0),
    unverified: [...found.earlier.values()].reduce((total, count) => total + count, 0),
    waiting: found.waiting,
    rewritten,
    heads: chained.map(([team_id, { count, digest }]) => ({ team_id, count, digest })),
    digest: server.digest,
  };
}
