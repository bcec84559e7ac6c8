import type { Findings } from './check.ts';
import type { Fault } from './faults.ts';
import { type Load, STALE_SECONDS } from './load.ts';

/** Times are in milliseconds. */
export interface Window {
  fault: Fault;
  from: number;
  to: number;
  load: Load;
}

/** Maximum seconds until changes are acknowledged again after the loss of a primary. */
const BACK_SECONDS = 15;
/** Maximum seconds for any call. The balancer and the load share two cores with the database. */
const ANSWER_SECONDS = 6;
/** Expected statuses: completed, or to be retried. */
const EXPECTED = new Set(['200', '503']);
/** Calls pending at a node or at the balancer when it was killed. */
const LOST_CALLS = new Set(['502', 'no answer']);

type Line = ReturnType<typeof toLine>;

/** Prints a line for each kind of fault and for each guarantee. */
export function summarize(windows: readonly Window[], findings: Findings): { text: string; isMet: boolean } {
  const lines = [...Map.groupBy(windows, ({ fault }) => fault.name)].map(([name, all]) => toLine(name, all));
  const promises = judge(lines, findings, windows[0]?.load.staleReads() ?? 0);
  const table = [
    'fault | times | seconds without a change: median, longest | slowest answer | answers',
    '---|---|---|---|---',
    ...lines.map(formatLine),
    '',
    ...promises.map(({ holds, text }) => `${holds ? 'ok  ' : 'FAIL'}  ${text}`),
  ];
  return { text: table.join('\n'), isMet: promises.every(({ holds }) => holds) };
}

function toLine(name: string, windows: readonly Window[]) {
  const outcomes = new Map<string, number>();
  let slowest = 0;
  for (const { load, from, to } of windows) {
    for (const { at, milliseconds, outcome } of load.answers) {
      const ended = at + milliseconds;
      if (ended < from || ended > to) continue;
      slowest = Math.max(slowest, milliseconds / 1_000);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
  }
  const losesCalls = windows.some(({ fault }) => fault.losesCalls);
  const gaps = windows.map(findGap).sort((a, b) => a - b);
  return { name, losesCalls, times: windows.length, gaps, slowest, outcomes };
}

/** The longest time without an acknowledged change, in seconds. */
function findGap({ load, from, to }: Window): number {
  const times = load.changes.flatMap(({ acknowledgedAt: at }) =>
    at !== undefined && at > from && at < to ? [at] : [],
  );
  const points = [from, ...times.sort((a, b) => a - b), to];
  return Math.max(...points.slice(1).map((point, at) => point - (points[at] ?? 0))) / 1_000;
}

function formatLine({ name, times, gaps, slowest, outcomes }: Line): string {
  const middle = gaps[Math.floor(gaps.length / 2)] ?? 0;
  const counts = [...outcomes].sort().map(([outcome, count]) => `${count} × ${outcome}`);
  const longest = gaps.at(-1)?.toFixed(1);
  return `${name} | ${times} | ${middle.toFixed(1)}, ${longest} | ${slowest.toFixed(1)} s | ${counts.join(', ')}`;
}

function judge(lines: readonly Line[], found: Findings, staleReads: number): { holds: boolean; text: string }[] {
  const { acknowledged, lost, doubled, replicaReads, jobsFailed, emailsDoubled, emailsRepeated } = found;
  const longest = Math.max(0, ...lines.flatMap(({ gaps }) => gaps));
  const slowest = Math.max(0, ...lines.map((line) => line.slowest));
  const odd = lines.flatMap(({ name, losesCalls, outcomes }) =>
    [...outcomes.keys()]
      .filter((outcome) => !EXPECTED.has(outcome) && !(losesCalls && LOST_CALLS.has(outcome)))
      .map((outcome) => `${outcome} (${name})`),
  );
  const list = (marks: readonly string[]) => (marks.length === 0 ? '' : `: ${marks.slice(0, 5).join(', ')}`);
  const failures = `${jobsFailed.length} jobs failed${list(jobsFailed)}; ${found.jobsRetried} were tried again`;
  return [
    { holds: lost.length === 0, text: `${acknowledged} acknowledged changes, ${lost.length} lost${list(lost)}` },
    { holds: doubled.length === 0, text: `${doubled.length} changes, audit rows or posts doubled${list(doubled)}` },
    { holds: longest <= BACK_SECONDS, text: `changes are acknowledged again after at most ${longest.toFixed(1)} s` },
    { holds: slowest <= ANSWER_SECONDS, text: `the slowest answer took ${slowest.toFixed(1)} s` },
    { holds: odd.length === 0, text: `other answers than 200 and 503 with Retry-After: ${odd.join(', ') || 'none'}` },
    { holds: replicaReads > 0, text: `${replicaReads} reads on replicas since the last start of each node` },
    { holds: staleReads === 0, text: `${staleReads} reads lacked a change from over ${STALE_SECONDS} s before` },
    { holds: jobsFailed.length === 0, text: failures },
    { holds: emailsDoubled === 0, text: `${emailsDoubled} emails doubled; ${emailsRepeated} repeated with one id` },
    { holds: found.audit.passed, text: `audit --verify: ${found.audit.said}` },
  ];
}
