import { cpus, totalmem } from 'node:os';
import { hashPassword } from '@steward/server/src/platform/security/passwords.ts';
import { timed } from './statistics.ts';

/** One line of the table: a figure beside its limit in the same run. */
export interface Row {
  row: string;
  ours: string;
  limit: string;
  ratio?: number;
  target: string;
  /** Absent without a target. */
  isMet?: boolean;
}

/** A row whose target is a bound on the ratio ours : limit. */
export function ratioRow(
  row: string,
  figures: { ours: number; limit: number; ratio?: number; unit: string },
  target: { min?: number; max?: number },
): Row {
  const { ratio = figures.ours / figures.limit } = figures;
  const bounds = [
    ...(target.min === undefined ? [] : [`≥ ${target.min}`]),
    ...(target.max === undefined ? [] : [`≤ ${short(target.max)}`]),
  ];
  const isMet = ratio >= (target.min ?? 0) && ratio <= (target.max ?? Number.POSITIVE_INFINITY);
  const text = (value: number) => `${short(value)} ${figures.unit}`;
  return { row, ours: text(figures.ours), limit: text(figures.limit), ratio, target: bounds.join(', '), isMet };
}

/** A row whose target is a number of the same unit. */
export function boundRow(row: string, figure: number, bound: { max: number; unit: string; limit?: string }): Row {
  const { max, unit, limit = '' } = bound;
  return { row, ours: `${short(figure)} ${unit}`, limit, target: `≤ ${short(max)} ${unit}`, isMet: figure <= max };
}

/** A number with its significant digits. */
export function short(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en-US');
  return String(Number(value.toPrecision(value >= 10 ? 3 : 2)));
}

/** The machine the figures were taken on. */
export function machine(): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor';
  const gib = Math.round(totalmem() / 2 ** 30);
  return `${model}, ${cpus().length} cores, ${gib} GiB, ${process.platform} ${process.arch}, Node ${process.versions.node}`;
}

/** The rows as a Markdown table. */
export function formatTable(rows: readonly Row[]): string {
  const cells = rows.map(({ row, ours, limit, ratio, target, isMet }) => [
    row,
    ours,
    limit,
    ratio === undefined ? '' : short(ratio),
    target,
    isMet === undefined ? '' : isMet ? 'ok' : 'miss',
  ]);
  const all = [['Row', 'Ours', 'Limit in the same run', 'Ratio', 'Target', ''], ...cells];
  const widths = all[0]?.map((_, column) => Math.max(...all.map((line) => line[column]?.length ?? 0))) ?? [];
  const lines = all.map((line) => `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`);
  lines.splice(1, 0, `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`);
  return lines.join('\n');
}

const SPIN_MS = 150;
const HASHES = 5;

/** How much of the machine was available: absolute times mean little without it. */
export interface MachineLoad {
  /** Share of a core that a busy loop got, from 0 to 1. */
  share: number;
  /** argon2id hashes per second, one after another; about 100 on an idle core. */
  hashesPerSecond: number;
}

/** Keeps a core busy for a moment and measures its share. */
export async function measureMachine(): Promise<MachineLoad> {
  const cpu = process.cpuUsage();
  const from = performance.now();
  while (performance.now() - from < SPIN_MS);
  const { user, system } = process.cpuUsage(cpu);
  const share = (user + system) / 1000 / (performance.now() - from);
  const hashing = await timed(async () => {
    for (let hash = 0; hash < HASHES; hash += 1) await hashPassword('a password to be hashed');
  });
  return { share: Math.min(1, share), hashesPerSecond: (HASHES / hashing) * 1000 };
}

/** One sentence of several samples. */
export function describeLoad(samples: readonly MachineLoad[]): string {
  const range = (numbers: number[]) => `${Math.round(Math.min(...numbers))}–${Math.round(Math.max(...numbers))}`;
  const shares = range(samples.map(({ share }) => share * 100));
  const hashes = range(samples.map(({ hashesPerSecond }) => hashesPerSecond));
  return `A busy core got ${shares}% of its time; ${hashes} argon2id hashes per second (idle: about 100).`;
}
