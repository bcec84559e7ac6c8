import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listProcesses } from '@steward/server/src/platform/embedded-postgres/processes.ts';
import type { BenchDatabase } from './database.ts';
import { type Server, vitals } from './processes.ts';

/** Processor time in milliseconds; without that of PostgreSQL where it isn't embedded, or the system isn't Linux. */
export interface ProcessorTime {
  node: number;
  postgres: number | undefined;
}

/** What the kernel counts in, in milliseconds: on Linux a hundredth of a second for every program. */
const TICK_MS = 10;

/** Processor time that the server and PostgreSQL used since they were started; of processes that are still there. */
export async function readProcessorTime(server: Server, { dataDir }: BenchDatabase): Promise<ProcessorTime> {
  const node = (await vitals(server)).processorMs;
  const pids = dataDir === undefined ? [] : listProcesses(join(dataDir, 'postgres'));
  return {
    node,
    postgres: pids.length === 0 ? undefined : pids.reduce((sum, pid) => sum + readTicks(pid), 0) * TICK_MS,
  };
}

/** Ticks in user and system mode. */
function readTicks(pid: number): number {
  // The name in parentheses may contain spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
}
