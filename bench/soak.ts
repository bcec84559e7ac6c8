// `npm run soak -- --minutes N`: a mixed load on a real server for N minutes, and what grows.
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type BenchDatabase, getTeam, openEmbedded, openForeign } from './setup/database.ts';
import { type Server, startServer } from './setup/processes.ts';
import { machine, short } from './setup/report.ts';
import { slope } from './setup/statistics.ts';
import { type Done, runLoad } from './soak/load.ts';
import { type Sample, takeSample } from './soak/sample.ts';

const EVERY_MS = 10_000;
/** Part of the time in which the heap grows to its working size; not counted in the slope. */
const WARM_UP = 1 / 3;

const say = (line: string) => void process.stdout.write(`${line}\n`);

/** Samples the server until the load ends, and prints each sample. */
async function watch(server: Server, database: BenchDatabase, load: Promise<Done>): Promise<Sample[]> {
  const samples: Sample[] = [];
  const from = performance.now();
  const ended = load.then(
    () => true,
    () => true,
  );
  for (let isOver = false; ; ) {
    const seen = await takeSample(server, database, from);
    if (samples.length === 0) say(formatLine(['seconds', ...Object.keys(seen.figures)]));
    samples.push(seen);
    say(formatLine([short(seen.at), ...Object.values(seen.figures).map(short)]));
    if (isOver) return samples;
    isOver = await Promise.race([ended, pause(EVERY_MS, false, { ref: false })]);
  }
}

function formatLine(cells: string[]): string {
  return cells.map((cell) => cell.padStart(12)).join(' ');
}

/** Growth per hour after the warm-up. */
function growth(samples: readonly Sample[], of: 'figures' | 'rows'): string[] {
  const warm = samples.slice(Math.floor(samples.length * WARM_UP));
  const [first, last] = [warm[0], warm.at(-1)];
  return Object.keys(first?.[of] ?? {}).map((name) => {
    const points = warm.map((seen) => ({ x: seen.at / 3600, y: seen[of][name] ?? 0 }));
    const [from, to] = [first?.[of][name] ?? 0, last?.[of][name] ?? 0];
    return `  ${name.padEnd(28)} ${short(from).padStart(9)} → ${short(to).padStart(9)}   ${slope(points).toFixed(1).padStart(11)} per hour`;
  });
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '10' },
      people: { type: 'string', default: '20000' },
      database: { type: 'string' },
    },
  });
  const [minutes, people] = [Number(values.minutes), Number(values.people)];
  if (!(minutes > 0) || !(people >= 1_000))
    throw new Error('--minutes takes a number above 0, --people one from 1000.');
  const database = values.database === undefined ? await openEmbedded(undefined) : await openForeign(values.database);
  try {
    const team = await getTeam(database, { people, entries: people }, say);
    const server = await startServer(database);
    try {
      const load = runLoad({ database, team, server }, performance.now() + minutes * 60_000);
      const samples = await watch(server, database, load);
      const { calls, failures } = await load;
      say(`\n${machine()}; ${minutes} minutes, a team of ${people}\n\nGrowth after the first third`);
      for (const line of [...growth(samples, 'figures'), '', ...growth(samples, 'rows')]) say(line);
      say(
        `\nDone: ${Object.entries(calls)
          .map(([name, count]) => `${count} × ${name}`)
          .join(', ')}`,
      );
      say(failures.size === 0 ? 'No failures.' : 'Failed:');
      for (const [what, count] of failures) say(`  ${count} × ${what}`);
      process.exitCode = failures.size === 0 ? 0 : 1;
    } finally {
      await server.stop();
    }
  } finally {
    await database.close();
  }
}

await main().catch((error) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});
