import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Readiness } from '#platform/observability/health.ts';

/** Time limit of a stop, in milliseconds. */
const STOP_MS = 15_000;
/** Time for calls and jobs to finish; the rest is for closing. */
const FINISH_MS = 14_000;
/** Connections of longer calls are closed, so that jobs get some time too. */
const CALLS_MS = 10_000;
/** Grace period for connections that haven't sent anything. */
const SILENT_MS = 500;
/** Longest interval between two readiness probes, in milliseconds. */
const PROBE_INTERVAL_MS = 60_000;

export interface TimeLeft {
  forCalls(): number;
  forJobs(): number;
}

export function createStopDeadline(): TimeLeft {
  const begun = performance.now();
  const left = (of: number) => () => Math.max(0, of - (performance.now() - begun));
  return { forCalls: left(CALLS_MS), forJobs: left(FINISH_MS) };
}

/** Kills the process when a stop takes too long. */
export async function stopInTime(work: () => Promise<void>): Promise<void> {
  const late = setTimeout(() => process.exit(1), STOP_MS);
  await work();
  clearTimeout(late);
}

/**
 * Reports "not ready" and keeps serving long enough for a load balancer to notice and send no more requests, so that none is
 * in flight when connections close. Doesn't wait when nothing has probed `/readyz` lately.
 */
export async function drain(readiness: Readiness, seconds: number): Promise<void> {
  readiness.isReady = false;
  if (performance.now() - readiness.probedAt < PROBE_INTERVAL_MS) await pause(seconds * 1_000);
}

export interface Calls {
  /** Stops listening and resolves when all calls are answered. Connections that take longer are closed. */
  finish(milliseconds: number): Promise<void>;
}

/** Tracks the connections of an app. Call it before the app listens. */
export function watchCalls(app: FastifyInstance): Calls {
  const open = new Set<Socket>();
  app.server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  // Browsers open connections in advance. Node counts them as busy, so they would delay the stop.
  const closeSilentConnections = () => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  };
  return {
    async finish(milliseconds) {
      const timers = [
        setTimeout(closeSilentConnections, SILENT_MS),
        setTimeout(() => app.server.closeAllConnections(), milliseconds),
      ];
      await app.close().finally(() => timers.forEach(clearTimeout));
    },
  };
}
