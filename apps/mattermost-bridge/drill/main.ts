// `npm run drill:mattermost -- --url URL --token TOKEN`
import { parseArgs } from 'node:util';
import { findAddressFault } from '../src/server-address.ts';
import { runDrill } from './drill.ts';

const USAGE = `Usage: npm run drill:mattermost -- --url https://chat.example.com --token TOKEN

TOKEN is a token of a bot that is a system admin. The drill works in teams of its own and says what stays of them.
It ends with 0 if every point passed, 1 if one failed, and 2 if it could not begin.
`;

/** It could not begin. */
const REFUSED = 2;

async function run(): Promise<number> {
  const { values } = parseArgs({ options: { url: { type: 'string' }, token: { type: 'string' } }, strict: false });
  const { MATTERMOST_URL, MATTERMOST_TOKEN } = process.env;
  const [url, token] = [values.url ?? MATTERMOST_URL, values.token ?? MATTERMOST_TOKEN];
  if (typeof url !== 'string' || typeof token !== 'string' || url === '' || token === '') {
    process.stderr.write(`No server was given, so nothing was tried: --url and --token are missing.\n\n${USAGE}`);
    return REFUSED;
  }
  const fault = findAddressFault('--url', url);
  if (fault !== undefined) {
    process.stderr.write(`${fault}\n`);
    return REFUSED;
  }
  return runDrill({ url, token, print: (line) => void process.stdout.write(`${line}\n`) });
}

process.exitCode = await run();
