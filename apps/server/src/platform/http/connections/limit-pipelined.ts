import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { refuse } from '../errors.ts';

/** Requests of one connection that may be under way at once. Browsers and proxies send one; Node would begin all that come. */
export const PIPELINED_MAX = 20;

/** Closes a connection that asks for more before it was answered: it would take every turn at the database for itself. */
export function limitPipelined(app: FastifyInstance): void {
  const underWay = new WeakMap<Socket, number>();
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const count = (underWay.get(raw.socket) ?? 0) + 1;
    underWay.set(raw.socket, count);
    if (count <= PIPELINED_MAX) return done();
    raw.socket.destroy();
    refuse('request.invalid', 'More requests were sent on one connection than may wait for their answers.');
  });
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    underWay.set(raw.socket, (underWay.get(raw.socket) ?? 1) - 1);
    done();
  });
}
