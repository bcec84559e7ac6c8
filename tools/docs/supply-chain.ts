// `npm run supply-chain`: known vulnerabilities of the installed packages. Exits with 1 if a high or critical one is found, and with
// 2 if the registry gave no report.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

interface Report {
  vulnerabilities?: Record<string, { name: string; severity: string; range: string; fixAvailable: unknown }>;
  metadata?: { dependencies?: { total?: number } };
}

const AUDITS = [
  { name: 'runtime packages', args: ['--omit=dev'] },
  { name: 'all packages', args: [] },
];

function audit(args: string[]): Report {
  const { stdout } = spawnSync('npm', ['audit', '--json', '--audit-level=high', ...args], {
    cwd: join(import.meta.dirname, '../..'),
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  try {
    return JSON.parse(stdout) as Report;
  } catch {
    return {};
  }
}

for (const { name, args } of AUDITS) {
  const { vulnerabilities, metadata } = audit(args);
  // A report without packages counts as none.
  const total = metadata?.dependencies?.total ?? 0;
  const found = Object.values(vulnerabilities ?? {}).filter(({ severity }) => /^(high|critical)$/.test(severity));
  if (vulnerabilities === undefined || total === 0) {
    console.log(`OPEN  ${name}: not checked, npm audit gave no report`);
    process.exitCode ||= 2;
  } else if (found.length === 0) console.log(`ok    ${name}: no high or critical vulnerability in ${total} packages`);
  else {
    console.log(`FAIL  ${name}`);
    for (const { name: vulnerable, severity, range, fixAvailable } of found)
      console.log(
        `      ${severity}: ${vulnerable} ${range}, ${fixAvailable ? 'a fix is available' : 'no fix is available'}`,
      );
    process.exitCode = 1;
  }
}
