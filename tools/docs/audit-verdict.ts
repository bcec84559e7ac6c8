/** The result of an audit: `unknown` if the registry gave no report. */
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

/** Reads the output of `npm audit --json`; a report without packages counts as none. */
export function getVerdict(output: string): Verdict {
  const report = parseReport(output);
  const total = report.metadata?.dependencies?.total ?? 0;
  if (report.vulnerabilities === undefined || total === 0) {
    return { kind: 'unknown', lines: [`not checked: ${report.message ?? 'npm audit gave no report'}`] };
  }
  const found = Object.values(report.vulnerabilities).filter(({ severity }) => SERIOUS.includes(severity));
  const lines = found.map(({ name, severity, range, fixAvailable }) =>
    [`${severity}: ${name} ${range}`, fixAvailable ? 'a fix is available' : 'no fix is available'].join(', '),
  );
  if (found.length > 0) return { kind: 'found', lines };
  return { kind: 'none', lines: [`nothing high or critical is known in ${total} packages`] };
}

function parseReport(output: string): Report {
  try {
    return JSON.parse(output) as Report;
  } catch {
    return {};
  }
}
