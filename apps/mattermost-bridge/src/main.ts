// `npm run bridge -- check` and `npm run bridge -- rehearse`.
import { checkSetup } from './check.ts';
import { createMattermost, type Mattermost } from './mattermost.client.ts';
import { type Rehearsal, rehearse } from './rehearsal.ts';
import { findAddressFault } from './server-address.ts';

const USAGE = `Usage: npm run bridge -- check      what is missing at the server; changes nothing
       npm run bridge -- rehearse   deletes messages of its own in a team of its own, and compares

Settings: MATTERMOST_URL, the address of the server, and MATTERMOST_TOKEN, a token of a bot that is a system admin.
`;

function openMattermost(): Mattermost | string {
  const { MATTERMOST_URL: url = '', MATTERMOST_TOKEN: token = '' } = process.env;
  const missing = [url === '' && 'MATTERMOST_URL', token === '' && 'MATTERMOST_TOKEN'].filter((name) => name !== false);
  if (missing.length > 0) {
    return `Set ${missing.join(' and ')}: the address of the Mattermost server and a token of a bot that is a system admin.`;
  }
  const fault = findAddressFault('MATTERMOST_URL', url);
  if (fault !== undefined) return fault;
  return createMattermost({ url, token });
}

async function check(mattermost: Mattermost): Promise<boolean> {
  const { version, problems, notes } = await checkSetup(mattermost);
  print(`Mattermost ${version}`);
  for (const problem of problems) print(`  Missing: ${problem}`);
  for (const note of notes) print(`  Note: ${note}`);
  print(problems.length === 0 ? 'Everything that deletion needs is there.' : 'Nothing will be deleted.');
  return problems.length === 0;
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
  if (command !== 'check' && command !== 'rehearse') {
    process.stderr.write(USAGE);
    return false;
  }
  const mattermost = openMattermost();
  if (typeof mattermost === 'string') {
    process.stderr.write(`${mattermost}\n`);
    return false;
  }
  if (command === 'check') return check(mattermost);
  const result = await rehearse(mattermost);
  printRehearsal(result);
  return result.passed;
}

process.exitCode = (await run(process.argv[2])) ? 0 : 1;
