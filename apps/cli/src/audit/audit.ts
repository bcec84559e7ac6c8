import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '@steward/server/src/platform/database/database.ts';
import type { Secrets } from '@steward/server/src/platform/security/secrets.ts';
import {
  type AuditFilter,
  type AuditLine,
  listAuditLines,
  listChainedLines,
} from '@steward/server/src/workspace/audit/audit-lines.store.ts';
import { findServerHead } from '@steward/server/src/workspace/audit/chain.store.ts';
import { sealAuditRows } from '@steward/server/src/workspace/audit/seal-audit.actions.ts';
import { z } from 'zod';
import { type Command, type Given, Mistake } from '../command.ts';
import { read, typed } from '../option-schemas.ts';
import { type Fault, type Verified, verifyAuditLog } from './verify-audit.actions.ts';

/** Rows per query. */
const BATCH = 1_000;

const PAUSE_MS = 1_000;
/** Maximum faults and heads in the text output; --json lists all. */
const LISTED = 20;

const time = z
  .string()
  .refine((text) => /^\d{4}-\d{2}-\d{2}/.test(text) && !Number.isNaN(Date.parse(text)), {
    message: 'is not a time (such as 2026-01-31 or 2026-01-31T12:00:00Z)',
  })
  .transform((text) => Date.parse(text));
const digest = z.string().regex(/^[0-9a-f]{64}$/, 'must be a digest of 64 hex digits');

/** For log collectors and investigations. */
export const audit: Command = {
  summary: 'Print the audit log as NDJSON, or verify it',
  notes: [
    "One JSON object per line on standard output, oldest first, with ids instead of names. Without --team: all teams' rows and\n" +
      "the server's own, such as sign-ins. Ends quietly when the reader closes the pipe.",
    '--verify recomputes the chain of each team with SECRET_KEY. It names rows that were changed, removed, added or moved, and\n' +
      'then exits with code 1. It prints a digest: keep it elsewhere and compare it later with --expect, since someone who\n' +
      'restores an old copy of the whole database restores its chain too.',
  ],
  options: {
    team: { value: 'id', help: 'Only rows of this team' },
    from: {
      value: 'time',
      help: 'Only rows since then, such as 2026-01-31 or 2026-01-31T12:00:00Z (UTC without a zone)',
    },
    to: { value: 'time', help: 'Only rows before then' },
    follow: { help: 'Go on with new rows until interrupted, in the order of the chain' },
    verify: { help: 'Print no rows; check that none was changed, removed, added or moved' },
    expect: { value: 'digest', help: 'With --verify: a digest of an earlier check or row, which must still be there' },
  },
  prepare: (given) => {
    const team = given.team === undefined ? undefined : read(typed.teamId, 'team', given.team);
    return given.switches.has('verify') ? prepareVerify(given, team) : preparePrint(given, team);
  },
};

type Work = ReturnType<Command['prepare']>;

function preparePrint(given: Given, team: string | undefined): Work {
  const from = given.from === undefined ? undefined : read(time, 'from', given.from);
  const to = given.to === undefined ? undefined : read(time, 'to', given.to);
  const follow = given.switches.has('follow');
  if (follow && to !== undefined) throw new Mistake('--follow and --to can’t be used together.');
  if (given.expect !== undefined) throw new Mistake('--expect needs --verify.');
  return async ({ db, secrets }, _, stdout) => {
    const ending = new AbortController();
    stdout.on('error', () => ending.abort());
    const write = async (line: string) => {
      if (stdout.write(`${line}\n`)) return;
      await once(stdout, 'drain', { signal: ending.signal }).catch(() => undefined);
    };
    const stream = { team, from, to, follow, pauseMs: PAUSE_MS, write, signal: ending.signal };
    const rows = await streamAuditLog(db, secrets, stream);
    return { result: { rows }, lines: [] };
  };
}

function prepareVerify(given: Given, team: string | undefined): Work {
  const expect = given.expect === undefined ? undefined : read(digest, 'expect', given.expect);
  if (given.from !== undefined || given.to !== undefined || given.switches.has('follow'))
    throw new Mistake('--verify checks all rows: --from, --to and --follow can’t be used with it.');
  return async ({ db, secrets }) => {
    const verified = await verifyAuditLog(db, secrets, { team, expect });
    const failed = verified.faults.length > 0;
    return { result: { ok: !failed, ...verified }, lines: describe(verified), ...(failed ? { failed } : {}) };
  };
}

function describe({ faults, rows, unverified, waiting, rewritten, heads, digest: all }: Verified): string[] {
  const lines = faults.slice(0, LISTED).map(describeFault);
  if (faults.length > LISTED) lines.push(`… and ${faults.length - LISTED} more.`);
  const counts = [`${rows} rows in ${heads.length} chains`];
  if (unverified > 0) counts.push(`${unverified} from before the chain, unverified`);
  if (waiting > 0) counts.push(`${waiting} not in the chain yet`);
  if (rewritten > 0) counts.push(`${rewritten} rewritten in teams that erased a person`);
  lines.push(`${counts.join('; ')}.`);
  const ends = heads.slice(0, LISTED).map((head) => `  ${head.team_id || '(no team)'}: ${head.count} ${head.digest}`);
  lines.push(...ends, ...(heads.length > LISTED ? ['  …'] : []));
  if (all !== '') lines.push(`Digest: ${all}`);
  lines.push(faults.length === 0 ? 'The audit log is intact.' : 'The audit log is NOT intact.');
  return lines;
}

function describeFault({ team_id, id, problem }: Fault): string {
  const place = [team_id === '' ? 'No team' : `Team ${team_id}`, ...(id === '' ? [] : [`row ${id}`])].join(', ');
  return `${place}: ${problem}.`;
}

interface AuditStream extends AuditFilter {
  follow: boolean;
  /** Pause between looking for new rows, in milliseconds. */
  pauseMs: number;
  /** Writes one line without its line break; resolves when more can be written. */
  write: (line: string) => Promise<void>;
  signal: AbortSignal;
}

/** Prints rows of the audit log as NDJSON, oldest first, each once. Returns their number. */
export async function streamAuditLog(db: Database, secrets: Secrets, stream: AuditStream): Promise<number> {
  if (!stream.follow) return printStored(db, stream);
  const until = await seal(db, secrets);
  const printed = await printStored(db, stream, until);
  return printed + (await printNew(db, secrets, { ...stream, after: until }));
}

/** Adds waiting rows to the chain, as a server would if there is none. Returns where the chain ends. */
async function seal(db: Database, secrets: Secrets): Promise<number> {
  await sealAuditRows(db, secrets);
  return (await findServerHead(db))?.number ?? 0;
}

async function printStored(db: Database, stream: AuditStream, until?: number): Promise<number> {
  const { team, from, to, write, signal } = stream;
  const range = { team, from, to, limit: BATCH, ...(until === undefined ? {} : { until }) };
  let printed = 0;
  let after: Pick<AuditLine, 'at' | 'id'> | undefined;
  while (!signal.aborted) {
    const rows = await listAuditLines(db, { ...range, after });
    for (const row of rows) {
      if (signal.aborted) return printed;
      await write(JSON.stringify(row));
      printed += 1;
      after = row;
    }
    if (rows.length < BATCH) break;
  }
  return printed;
}

/**
 * Prints in the order of the chain, which is append-only. The time of a row is when its transaction began, so in the order
 * of time, a row that is committed late would belong before rows that were printed already.
 */
async function printNew(db: Database, secrets: Secrets, stream: AuditStream & { after: number }): Promise<number> {
  const { team, from, pauseMs, write, signal } = stream;
  let { after } = stream;
  let printed = 0;
  while (!signal.aborted) {
    await sealAuditRows(db, secrets);
    const rows = await listChainedLines(db, { team, from, after, limit: BATCH });
    for (const { number, ...line } of rows) {
      if (signal.aborted) return printed;
      await write(JSON.stringify(line));
      printed += 1;
      after = number;
    }
    if (rows.length < BATCH) await wait(pauseMs, undefined, { signal }).catch(() => undefined);
  }
  return printed;
}
