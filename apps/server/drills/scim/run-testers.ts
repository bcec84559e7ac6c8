// `npm run drill:scim`: runs public SCIM testers against a started server. They are installed from PyPI into a virtual
// environment, so nothing of them is a dependency. Without Python or the packages, this ends with a message.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SCIM_BASE } from '@steward/contract/scim';
import { startApp } from '#testing/app/start-app.ts';
import { scimToken } from '#testing/peers/scim.ts';
import { runProgram } from '#testing/system/run-program.ts';
import { createTeamWithMembers } from '#testing/workspace/factories.ts';

const PACKAGES = ['scim2-cli==0.6.0', 'scim2-tester==0.5.2', 'scim-sanity==0.7.4'];
const ENVIRONMENT = join(import.meta.dirname, '../../../../var/scim-testers');
const BIN = join(ENVIRONMENT, 'bin');

/** scim-sanity rejects a PATCH response of 204, which RFC 7644 (section 3.5.2) allows. */
const WAIVED = /^\[FAIL\] PATCH [^\n]*\n\s*Expected (?:HTTP )?200, got 204/;

async function run(command: string, args: readonly string[], more: Readonly<Record<string, string>> = {}) {
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', NO_COLOR: '1', ...more };
  const missing = { code: 1, out: '', err: '' };
  const { code, out, err } = await runProgram(command, args, { env }).catch(() => missing);
  return { code, output: out + err };
}

async function install(): Promise<string | undefined> {
  if (existsSync(join(BIN, 'scim-sanity')) && existsSync(join(BIN, 'scim2'))) return undefined;
  const environment = await run('python3', ['-m', 'venv', ENVIRONMENT]);
  if (environment.code !== 0) return 'Python 3 with venv is not installed';
  const packages = await run(join(BIN, 'pip'), ['install', '--quiet', ...PACKAGES]);
  return packages.code === 0 ? undefined : `${PACKAGES.join(', ')} can't be installed: ${packages.output.slice(-300)}`;
}

async function testServer(): Promise<number> {
  await using node = await startApp({ listen: true, pool: 4, work: false });
  const team = await createTeamWithMembers(node);
  const { token } = await scimToken(node, team.id, team.owner.id);
  const url = node.url + SCIM_BASE;
  const first = await run(join(BIN, 'scim2'), ['--url', url, 'test', '--verbose'], {
    SCIM_CLI_HEADERS: `Authorization: Bearer ${token}`,
  });
  console.log(`scim2-tester\n${first.output}`);
  const second = await run(join(BIN, 'scim-sanity'), ['probe', url, '--token', token, '--i-accept-side-effects']);
  console.log(`scim-sanity\n${second.output}`);
  const errors = first.output.split('\n').filter((line) => /^(ERROR|CRITICAL)/.test(line)).length;
  const successes = first.output.split('\n').filter((line) => line.startsWith('SUCCESS')).length;
  const faults = listFaults(second.output);
  const kept = faults.filter((fault) => !WAIVED.test(fault));
  console.log(`scim2-tester: ${successes} passed, ${errors} failed.`);
  console.log(`scim-sanity: ${kept.length} faults, and ${faults.length - kept.length} times 204 after PATCH.`);
  return first.code === 0 && successes > 0 && errors + kept.length === 0 ? 0 : 1;
}

/** Lists each failed step with the lines below it. */
function listFaults(output: string): string[] {
  const steps = output.split(/\n\s*(?=\[(?:PASS|FAIL|SKIP)\])/);
  return steps.filter((step) => step.startsWith('[FAIL]'));
}

const reason = await install();
if (reason === undefined) process.exitCode = await testServer();
else console.log(`Skipped: ${reason}.`);
