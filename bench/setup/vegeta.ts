import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { json } from 'node:stream/consumers';
import type { Call } from './load.ts';

/** What vegeta saw: times in milliseconds, from when a call was sent. */
export interface Attack {
  p50: number;
  p99: number;
  failures: number;
  /** Failed calls by status; 0 where there was no answer. */
  failed: ReadonlyMap<number, number>;
}

/** Part of its report; times in nanoseconds. */
interface Report {
  latencies: { '50th': number; '99th': number };
  requests: number;
  status_codes: Record<string, number>;
}

/** Whether vegeta is installed: an open-loop load generator that is independent of ours. */
export async function hasVegeta(): Promise<boolean> {
  const found = spawn('vegeta', ['-version'], { stdio: 'ignore' });
  const [code] = await once(found, 'exit').catch(() => [1]);
  return code === 0;
}

/** Sends calls at a constant rate, whether or not earlier ones were answered, and reports how that went. */
export async function attack(
  port: number,
  calls: readonly Call[],
  { rate, seconds }: { rate: number; seconds: number },
): Promise<Attack> {
  const options = ['-format=json', `-rate=${Math.round(rate)}/1s`, `-duration=${seconds}s`, '-timeout=10s'];
  const attacker = spawn('vegeta', ['attack', ...options], { stdio: ['pipe', 'pipe', 'inherit'] });
  const reporter = spawn('vegeta', ['report', '-type=json'], { stdio: ['pipe', 'pipe', 'inherit'] });
  attacker.stdout.pipe(reporter.stdin);
  attacker.stdin.end(calls.map((call) => toTarget(port, call)).join('\n'));
  const { latencies, requests, status_codes } = (await json(reporter.stdout)) as Report;
  const { 200: done = 0, ...others } = status_codes;
  const failed = new Map(Object.entries(others).map(([status, count]) => [Number(status), count]));
  return { p50: latencies['50th'] / 1e6, p99: latencies['99th'] / 1e6, failures: requests - done, failed };
}

/** A line of its list of targets. */
function toTarget(port: number, { path, method = 'GET', cookie, headers = {}, body }: Call): string {
  const header: Record<string, string[]> = {};
  if (cookie !== undefined) header.Cookie = [cookie];
  for (const [name, value] of Object.entries(headers)) header[name] = [value];
  if (body !== undefined) header['Content-Type'] = ['application/json'];
  const content = body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)).toString('base64') };
  return JSON.stringify({ method, url: `http://127.0.0.1:${port}${path}`, header, ...content });
}
