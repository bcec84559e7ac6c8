/** What an audit came to: `unknown` where the registry could not be asked. */
export interface Verdict {
  kind: 'none' | 'found' | 'unknown';
  lines: string[];
}

interface Report {
  vulnerabilities?: Record<string, { name: string; severity: string; range: string; fixAvailable: unknown }>;
  metadata?: { dependencies?: { total?: number } };
  message?: string;
}

const SERIOUS = ['high', 'critical'];

/** Reads what `npm audit --json` printed; only a report with packages in it counts as one. */
export function getVerdict(output: string): Verdict {
  const report = parseReport(output);
  const looked = report.metadata?.dependencies?.total ?? 0;
  if (report.vulnerabilities === undefined || looked === 0) {
    return { kind: 'unknown', lines: [`not checked: ${report.message ?? 'npm audit gave no report'}`] };
  }
  const found = Object.values(report.vulnerabilities).filter(({ severity }) => SERIOUS.includes(severity));
  const lines = found.map(({ name, severity, range, fixAvailable }) =>
    [
      `${severity}: ${name} ${range}`,
      fixAvailable ? 'there is a version without it' : 'nothing is known to mend it',
    ].join(', '),
  );
  if (found.length > 0) return { kind: 'found', lines };
  return { kind: 'none', lines: [`nothing high or critical is known of ${looked} packages`] };
}

function parseReport(output: string): Report {
  try {
    return JSON.parse(output) as Report;
  } catch {
    return {};
  }
}
