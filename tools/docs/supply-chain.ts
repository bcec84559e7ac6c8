// `npm run supply-chain`: known weaknesses of what is installed, as the registry tells them. Ends with 1 where there is one,
// and with 2 where nobody could be asked, so that silence is never taken for «none».
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { getVerdict } from './audit-verdict.ts';

const root = join(import.meta.dirname, '../..');
const MARKS = { none: 'ok  ', found: 'FAIL', unknown: 'OPEN' };
const WHAT = [
  { name: 'what runs', args: ['--omit=dev'] },
  { name: 'what runs and what builds and tests it', args: [] },
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
