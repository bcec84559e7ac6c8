// `npm run bridge`, `npm run bridge -- check` and `npm run bridge -- rehearse`.
import { hostname } from 'node:os';
import { createBridge, runBridge, takeLease } from './bridge.ts';
import { checkSetup } from './check.ts';
import { createMattermost, type Mattermost } from './mattermost.client.ts';
import { type Rehearsal, rehearse } from './rehearsal.ts';
import { findAddressFault } from './server-address.ts';
import { createSteward, StewardError } from './steward.client.ts';
import { listAll } from './sweep.ts';

const USAGE = `Usage: npm run bridge                connects a Mattermost server with Steward until it is ended
       npm run bridge -- check      what is missing at the server; changes nothing
       npm run bridge -- rehearse   deletes messages of its own in a team of its own, and compares

Settings: MATTERMOST_URL, the address of the server, and MATTERMOST_TOKEN, a token of a bot that is a system admin.
To connect also: STEWARD_URL, the address of Steward, and STEWARD_TOKEN, the token of the connection.
`;

const SETTINGS = {
  MATTERMOST_URL: 'the address of the Mattermost server',
  MATTERMOST_TOKEN: 'a token of a bot that is a system admin',
  STEWARD_URL: 'the address of Steward',
  STEWARD_TOKEN: 'the token that `npm run workspace -- connect` printed',
};
type Setting = keyof typeof SETTINGS;

/** Returns a sentence for each setting that is missing or wrong. */
function findFaults(names: readonly Setting[]): string[] {
  return names.flatMap((name) => {
    const value = process.env[name] ?? '';
    if (value === '') return [`Set ${name}: ${SETTINGS[name]}.`];
    return name.endsWith('URL') ? (findAddressFault(name, value) ?? []) : [];
  });
}

const setting = (name: Setting) => process.env[name] ?? '';
const openMattermost = (givesWay: boolean) =>
  createMattermost({ url: setting('MATTERMOST_URL'), token: setting('MATTERMOST_TOKEN'), givesWay });

/** Runs until a signal ends it. Returns false if Steward doesn't know the token. */
async function connect(): Promise<boolean> {
  const bridge = createBridge({
    steward: createSteward({ url: setting('STEWARD_URL'), token: setting('STEWARD_TOKEN') }),
    mattermost: openMattermost(true),
    urgent: openMattermost(false),
    name: `${hostname()}, process ${process.pid}`,
    print,
  });
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort());
  try {
    await takeLease(bridge);
  } catch (error) {
    if (!(error instanceof StewardError)) throw error;
    if (error.status === 401) {
      process.stderr.write('Steward does not accept STEWARD_TOKEN; it is wrong, or the connection was removed.\n');
      return false;
    }
    print(`${error.message} The bridge tries again.`);
  }
  await runBridge(bridge, ending.signal);
  return true;
}

async function check(mattermost: Mattermost): Promise<boolean> {
  const { version, problems, notes } = await checkSetup(mattermost);
  print(`Mattermost ${version}`);
  for (const problem of problems) print(`  Missing: ${problem}`);
  for (const note of notes) print(`  Note: ${note}`);
  print(problems.length === 0 ? 'Everything that deletion needs is there.' : 'Nothing will be deleted.');
  if (problems.length === 0) await printTeams(mattermost);
  return problems.length === 0;
}

/** Steward's operator connects teams by their ids. */
async function printTeams(mattermost: Mattermost): Promise<void> {
  const teams = await listAll(mattermost, 'listTeams');
  const living = teams.filter(({ delete_at }) => delete_at === 0);
  if (living.length > 0) print('\nTeams of the server:');
  for (const { id, name } of living) print(`  ${id}  ${name}`);
}

function printRehearsal({ steps, version, calls, ms, passed }: Rehearsal): void {
  print(`Mattermost ${version}\n`);
  const width = Math.max(...steps.map(({ name }) => name.length));
  for (const { name, passed: ok, detail } of steps)
    print(`${ok ? 'ok  ' : 'FAIL'}  ${name.padEnd(width)}  ${detail}`.trimEnd());
  print(
    `\n${passed ? 'The rehearsal passed' : 'The rehearsal failed, so nothing will be deleted'}: ${calls} calls, ${ms} ms.`,
  );
}

const print = (line: string) => void process.stdout.write(`${line}\n`);

async function run(command: string | undefined): Promise<boolean> {
  if (command !== undefined && command !== 'check' && command !== 'rehearse') {
    process.stderr.write(USAGE);
    return false;
  }
  const needed = Object.keys(SETTINGS) as Setting[];
  const faults = findFaults(command === undefined ? needed : needed.slice(0, 2));
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  if (faults.length > 0) return false;
  if (command === undefined) return connect();
  const mattermost = openMattermost(false);
  if (command === 'check') return check(mattermost);
  const result = await rehearse(mattermost);
  printRehearsal(result);
  return result.passed;
}

process.exitCode = (await run(process.argv[2])) ? 0 : 1;
