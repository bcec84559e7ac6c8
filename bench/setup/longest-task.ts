import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BenchDatabase } from './database.ts';
import { type Server, startServer } from './processes.ts';

/**
 * A server that also tells the processor time of its longest task. A stall of the event loop includes the time for which the process
 * waited for a processor, which the client and the database use as well.
 */
export async function startProbedServer(database: BenchDatabase): Promise<ProbedServer> {
  const folder = mkdtempSync(join(tmpdir(), 'steward-bench-tasks-'));
  const result = join(folder, 'longest');
  const probe = pathToFileURL(join(import.meta.dirname, 'task-probe.mjs'));
  probe.searchParams.set('to', result);
  const server = await startServer(database, { env: { NODE_OPTIONS: `--import ${probe.href}` } });
  return {
    ...server,
    begin: () => void process.kill(server.pid, 'SIGUSR2'),
    async stopAndRead() {
      await server.stop();
      const longest = Number(readFileSync(result, 'utf8'));
      rmSync(folder, { recursive: true, force: true });
      return longest;
    },
  };
}

interface ProbedServer extends Server {
  /** Forgets earlier tasks. */
  begin(): void;
  /** Stops the server; milliseconds of processor time of its longest task, or of several within five milliseconds. */
  stopAndRead(): Promise<number>;
}
