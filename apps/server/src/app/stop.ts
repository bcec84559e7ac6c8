import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Readiness } from '#platform/observability/health.ts';

/** Longest a planned stop may take, in milliseconds (trust G20). */
const STOP_MS = 15_000;
/** Of that, so long calls and jobs may take to finish; what is left is for closing. */
const FINISH_MS = 14_000;
/** Calls that run longer than this lose their connection, so that jobs have some time too. */
const CALLS_MS = 10_000;
/** A connection that says nothing has so long left. */
const SILENT_MS = 500;
/** Whoever watches `/readyz` asks at least this often, in milliseconds. */
const WATCHING_MS = 60_000;

/** Milliseconds that a stop has left, for calls and for jobs; never less than 0. */
export interface TimeLeft {
  forCalls(): number;
  forJobs(): number;
}

/** Counts from now. */
export function createStopDeadline(): TimeLeft {
  const begun = performance.now();
  const left = (of: number) => () => Math.max(0, of - (performance.now() - begun));
  return { forCalls: left(CALLS_MS), forJobs: left(FINISH_MS) };
}

/** Ends the process by force when a stop takes too long. */
export async function stopInTime(work: () => Promise<void>): Promise<void> {
  const late = setTimeout(() => process.exit(1), STOP_MS);
  await work();
  clearTimeout(late);
}

/**
 * Turns readiness red, and goes on serving until whoever watches it has had the time to see that and sends no more calls: then
 * nothing is on its way when the connections close. Where nobody watches, there is nothing to wait for.
 */
export async function drain(readiness: Readiness, seconds: number): Promise<void> {
  readiness.isReady = false;
  if (performance.now() - readiness.askedAt < WATCHING_MS) await pause(seconds * 1_000);
}

/** The calls that a server is answering. */
export interface Calls {
  /** Listens no more, and ends when every call is answered. Connections that are not done in time are cut. */
  finish(milliseconds: number): Promise<void>;
}

/** Watches the connections of an app, before it listens. */
export function watchCalls(app: FastifyInstance): Calls {
  const open = new Set<Socket>();
  app.server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  // Browsers open connections in advance. Node takes such a one for busy: it would hold up the stop to its end.
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
