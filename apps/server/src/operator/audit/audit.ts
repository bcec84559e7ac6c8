import { once } from 'node:events';
import { z } from 'zod';
import { type Command, Mistake } from '../command.ts';
import { read, typed } from '../option-schemas.ts';
import { streamAuditLog } from './audit.actions.ts';

const PAUSE_MS = 1_000;

const time = z
  .string()
  .refine((text) => /^\d{4}-\d{2}-\d{2}/.test(text) && !Number.isNaN(Date.parse(text)), {
    message: 'is not a time (such as 2026-01-31 or 2026-01-31T12:00:00Z)',
  })
  .transform((text) => Date.parse(text));

/** Prints the audit log, for a log collector or an investigation. */
export const audit: Command = {
  summary: 'Print the audit log as NDJSON',
  notes: [
    "One JSON object per line on standard output, oldest first, with ids instead of names. Without --team: all teams' rows and\n" +
      "the server's own, such as sign-ins. Ends quietly when the reader closes the pipe.",
  ],
  options: {
    team: { value: 'id', help: 'Only rows of this team' },
    from: {
      value: 'time',
      help: 'Only rows since then, such as 2026-01-31 or 2026-01-31T12:00:00Z (UTC without a zone)',
    },
    to: { value: 'time', help: 'Only rows before then' },
    follow: { help: 'Go on with new rows until interrupted; a row appears when everything before it is known' },
  },
  prepare: (given) => {
    const team = given.team === undefined ? undefined : read(typed.teamId, 'team', given.team);
    const from = given.from === undefined ? undefined : read(time, 'from', given.from);
    const to = given.to === undefined ? undefined : read(time, 'to', given.to);
    const follow = given.switches.has('follow');
    if (follow && to !== undefined) throw new Mistake('--follow and --to can’t be used together.');
    return async ({ db }) => {
      const ending = new AbortController();
      process.stdout.on('error', () => ending.abort());
      const write = async (line: string) => {
        if (process.stdout.write(`${line}\n`)) return;
        await once(process.stdout, 'drain', { signal: ending.signal }).catch(() => undefined);
      };
      const stream = { team, from, to, follow, pauseMs: PAUSE_MS, write, signal: ending.signal };
      const rows = await streamAuditLog(db, stream);
      return { result: { rows }, lines: [] };
    };
  },
};
