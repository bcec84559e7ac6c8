import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { refuse } from '../errors.ts';

/** Requests of one connection that may be in progress at once. Browsers and proxies send one; Node.js would start any number. */
export const PIPELINED_MAX = 20;

/** Closes a connection with more requests in progress, because it could occupy the whole database pool. */
export function limitPipelined(app: FastifyInstance): void {
  const inProgress = new WeakMap<Socket, number>();
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const count = (inProgress.get(raw.socket) ?? 0) + 1;
    inProgress.set(raw.socket, count);
    if (count <= PIPELINED_MAX) return done();
    raw.socket.destroy();
    refuse('request.invalid', 'More requests were sent on one connection than may wait for their answers.');
  });
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    inProgress.set(raw.socket, (inProgress.get(raw.socket) ?? 1) - 1);
    done();
  });
}
