import { parseArgs } from 'node:util';

/** Options of a run. */
export interface Options {
  rows: string[];
  people: number;
  entries: number;
  messages: number;
  /** Numbers of live sessions to measure, one after another; those of the row when undefined. */
  sessions: number[] | undefined;
  isQuick: boolean;
  json: string | undefined;
  database: string | undefined;
  data: string | undefined;
  /** Seconds per measurement of a rate, and measurements per side. */
  seconds: number;
  rounds: number;
}

/** Reads the command line; `names` are the known rows. */
export function readOptions(args: string[], names: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      rows: { type: 'string' },
      people: { type: 'string', default: '1000000' },
      entries: { type: 'string', default: '1000000' },
      messages: { type: 'string', default: '10000000' },
      sessions: { type: 'string' },
      quick: { type: 'boolean', default: false },
      json: { type: 'string' },
      database: { type: 'string' },
      data: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(getHelpText(names));
    process.exit(0);
  }
  const rows = values.rows?.split(',') ?? names;
  const unknown = rows.filter((row) => !names.includes(row));
  if (unknown.length > 0) throw new Error(`Unknown row ${unknown.join(', ')}. Rows: ${names.join(', ')}.`);
  for (const [option, least] of [
    ['people', 1_000],
    ['entries', 1_000],
    ['messages', 10_000],
  ] as const) {
    if (!/^[1-9]\d{3,7}$/.test(values[option]) || Number(values[option]) < least)
      throw new Error(`--${option} must be a number from ${least} to 99999999.`);
  }
  if (values.sessions?.split(',').some((count) => !/^[1-9]\d{1,5}$/.test(count)))
    throw new Error('--sessions must be numbers from 10 to 999999.');
  return {
    rows,
    people: Number(values.people),
    entries: Number(values.entries),
    messages: Number(values.messages),
    sessions: values.sessions?.split(',').map(Number),
    isQuick: values.quick,
    json: values.json,
    database: values.database,
    data: values.data,
    seconds: 1,
    rounds: values.quick ? 3 : 9,
  };
}

function getHelpText(names: string[]): string {
  return `npm run bench -- [options]

  --rows a,b       only these rows: ${names.join(', ')}
  --people N       people in the team (1000000)
  --entries N      entries in its company directory, for the rows that measure that (1000000)
  --messages N     messages of the team, likewise (10000000)
  --sessions a,b   numbers of live sessions for the row “sessions”, none above that of people
  --quick          shorter measurements
  --json FILE      also write the figures to a file
  --database URL   measure on this PostgreSQL instead of an embedded one; the row “embedded” compares both.
                   It must be empty or filled by the bench before; its role must be able to create extensions
  --data DIR       keep the embedded PostgreSQL there and reuse it; otherwise it is temporary
`;
}
