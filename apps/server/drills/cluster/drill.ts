// `npm run drill:cluster`: kills each part of a cluster under load, and compares the acknowledged changes with the database.
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { checkOutcome } from './check.ts';
import { startDatabaseCluster } from './cluster.ts';
import { type Fault, listFaults } from './faults.ts';
import { findOldPatroni, missingPackages } from './layout.ts';
import { type Load, startLoad } from './load.ts';
import { summarize, type Window } from './report.ts';
import { startSteward } from './steward.ts';

const say = (line: string) => void process.stdout.write(`${line}\n`);

/** Time under load before the first fault and after each, in milliseconds. */
const CALM_MS = 2_000;

const HELP = `npm run drill:cluster -- [options]

  --primary N   times that the primary is lost, in each way in turn (8)
  --others N    times of each other fault (2)
  --clients N   clients that make changes and read during the faults (6)
`;

type Options = ReturnType<typeof readOptions>;

function readOptions() {
  const { values } = parseArgs({
    options: {
      primary: { type: 'string', default: '8' },
      others: { type: 'string', default: '2' },
      clients: { type: 'string', default: '6' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    say(HELP);
    process.exit();
  }
  const options = { primary: Number(values.primary), others: Number(values.others), clients: Number(values.clients) };
  if (!(options.primary >= 0 && options.others >= 0 && options.clients > 0))
    throw new Error('--primary and --others take a number of kills, --clients a number above 0.');
  return options;
}

/** Orders the faults. Those that lose the primary share the given number. */
function plan(faults: readonly Fault[], { primary, others }: Options): Fault[] {
  const losing = faults.filter(({ losesPrimary }) => losesPrimary);
  const rest = faults.filter(({ losesPrimary }) => !losesPrimary);
  const first = Array.from({ length: primary }, (_, at) => losing[at % losing.length] as Fault);
  return [...first, ...Array.from({ length: others }, () => rest).flat()];
}

/** On an interrupt, ends after repairing the current fault, and leaves no process behind. */
async function run(options: Options, ended: AbortSignal): Promise<void> {
  await using cluster = await startDatabaseCluster(say);
  if (ended.aborted) return;
  say('starting three nodes of Steward');
  await using steward = await startSteward(cluster);
  const load = startLoad(steward.url, await steward.createPlaces(options.clients));
  await pause(CALM_MS);
  const windows: Window[] = [];
  for (const fault of plan(listFaults(cluster, steward), options)) {
    windows.push(await suffer(fault, load, () => cluster.untilComplete()));
    say(`${new Date().toISOString()} ${fault.name}`);
    if (ended.aborted) break;
  }
  await load.stop();
  if (ended.aborted) return say('stopped before the last fault: nothing was checked');
  say('checking');
  const findings = await checkOutcome(steward, load.changes, cluster.urls.direct);
  const { text, isMet } = summarize(windows, findings);
  say(`\n${text}`);
  process.exitCode = isMet ? 0 : 1;
}

/** Causes a fault, repairs it, and observes the calls until the cluster is complete again. */
async function suffer(fault: Fault, load: Load, untilComplete: () => Promise<void>): Promise<Window> {
  const from = performance.now();
  const mend = await fault.inject();
  await pause(fault.seconds * 1_000);
  await mend();
  await untilComplete();
  await pause(CALM_MS);
  const to = performance.now();
  return { fault, from, to, load };
}

const options = readOptions();
const missing = missingPackages();
if (missing.length > 0) {
  say(`Skipped: the cluster needs packages that are not installed: ${missing.join(', ')}. See deploy/README.md.`);
} else {
  const old = findOldPatroni();
  if (old !== undefined) say(`Patroni ${old} is too old: a cluster needs 3.1 or later, see deploy/README.md.`);
  const ended = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => ended.abort());
  await run(options, ended.signal).catch((error) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exitCode = 1;
  });
  if (ended.signal.aborted) process.exitCode = 1;
  // Connections to dead servers must not keep the process alive.
  process.exit();
}
