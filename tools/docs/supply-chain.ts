// `npm run supply-chain`: known vulnerabilities of the installed packages. Exits with 1 if there are any and with 2 if the
// registry could not be asked.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { getVerdict } from './audit-verdict.ts';

const root = join(import.meta.dirname, '../..');
const MARKS = { none: 'ok  ', found: 'FAIL', unknown: 'OPEN' };
const WHAT = [
  { name: 'runtime packages', args: ['--omit=dev'] },
  { name: 'all packages', args: [] },
];

for (const { name, args } of WHAT) {
  const { stdout, error } = spawnSync('npm', ['audit', '--json', '--audit-level=high', ...args], {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  const { kind, lines } = getVerdict(error === undefined ? stdout : JSON.stringify({ message: error.message }));
  console.log([`${MARKS[kind]}  ${name}`, ...lines.map((line) => `      ${line}`)].join('\n'));
  if (kind === 'found') process.exitCode = 1;
  if (kind === 'unknown') process.exitCode ||= 2;
}
