import { cpus, totalmem } from 'node:os';

/** A figure is compared with its bound directly, or by its ratio to the reference of the same run. */
export interface Figure {
  what: string;
  ours: number;
  unit: string;
  reference?: { is: string; value: number };
  /** Median of the ratios of the rounds, which other work on the machine affects least. */
  ratio?: number;
  bound: { of: 'ratio' | 'figure'; min?: number; max?: number };
}

export function median(numbers: readonly number[]): number {
  return percentile(numbers, 50);
}

/** Returns the smallest number that at least `percent` of them do not exceed. */
export function percentile(numbers: readonly number[], percent: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)] ?? Number.NaN;
}

/** Returns the duration in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

/** Measures the two sides alternately. */
export async function inTurns(rounds: number, ours: () => Promise<number>, reference: () => Promise<number>) {
  const pairs: { ours: number; reference: number }[] = [];
  for (let round = 0; round < rounds; round += 1) pairs.push({ ours: await ours(), reference: await reference() });
  return {
    ours: median(pairs.map((pair) => pair.ours)),
    reference: median(pairs.map((pair) => pair.reference)),
    ratio: median(pairs.map((pair) => pair.ours / pair.reference)),
  };
}

/** The bound limits the ratio to the reference. */
export function ratioFigure(
  what: string,
  measured: { ours: number; reference: number; ratio?: number },
  { is, unit, ...bound }: { is: string; unit: string; min?: number; max?: number },
): Figure {
  const { ours, reference, ratio = ours / reference } = measured;
  return { what, ours, unit, reference: { is, value: reference }, ratio, bound: { of: 'ratio', ...bound } };
}

/** The bound is the largest allowed value. */
export function boundFigure(
  what: string,
  ours: number,
  { max, unit, reference }: { max: number; unit: string; reference?: Figure['reference'] },
): Figure {
  const beside = reference && { reference, ratio: ours / reference.value };
  return { what, ours, unit, ...beside, bound: { of: 'figure', max } };
}

export function isMet({
  ours,
  ratio,
  bound: { of, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY },
}: Figure) {
  const value = of === 'ratio' ? (ratio ?? Number.NaN) : ours;
  return value >= min && value <= max;
}

function short(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en-US');
  return String(Number(value.toPrecision(value >= 10 ? 3 : 2)));
}

/** The figures of all rows as a Markdown table. */
export function formatTable(rows: readonly { name: string; figures: readonly Figure[] }[]): string {
  const lines = rows.flatMap(({ name, figures }) =>
    figures.map((figure) => {
      const { what, ours, unit, reference, ratio, bound } = figure;
      const sides = [bound.min !== undefined && `≥ ${bound.min}`, bound.max !== undefined && `≤ ${bound.max}`];
      const limit = `${sides.filter(Boolean).join(', ')}${bound.of === 'figure' ? ` ${unit}` : ''}`;
      const beside = reference ? `${short(reference.value)} ${unit}: ${reference.is}` : '';
      const verdict = isMet(figure) ? 'ok' : 'MISS';
      return [name, what, `${short(ours)} ${unit}`, beside, ratio === undefined ? '' : short(ratio), limit, verdict];
    }),
  );
  const all = [['Row', 'Figure', 'Ours', 'Reference of the same run', 'Ratio', 'Bound', 'Verdict'], ...lines];
  const widths = (all[0] ?? []).map((_, column) => Math.max(...all.map((line) => line[column]?.length ?? 0)));
  const text = all.map((line) => `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`);
  text.splice(1, 0, `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`);
  return text.join('\n');
}

export function machine(): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor';
  const gib = Math.round(totalmem() / 2 ** 30);
  return `${model}, ${cpus().length} cores, ${gib} GiB, ${process.platform}, Node ${process.versions.node}`;
}
