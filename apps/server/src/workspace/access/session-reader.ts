import type { FastifyRequest } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import {
  findSession,
  findSessionAndRead,
  type SessionHolder,
  type SessionSearch,
} from '#workspace/sessions/sessions.store.ts';

/** Callers that are remembered; then all are forgotten, which only costs each of them a packet. */
const CALLERS = 10_000;

/** Looks up the session of each call. */
export interface SessionReader {
  /** The holder of a session, and with it what the call reads (`serveList`) if this caller was let through before. */
  find(request: FastifyRequest, search: SessionSearch): Promise<SessionHolder | undefined>;
  /** The guard let the caller through. */
  admit(search: SessionSearch): void;
  /** It refused them. */
  forget(search: SessionSearch): void;
}

/**
 * Remembers which callers were let through, only to decide when a list is worth reading before it is known who asks: a stranger
 * can't make the database read one. Whether a call is let through is read from the database each time.
 */
export function createSessionReader({ db, pool }: Pick<Deps, 'db' | 'pool'>): SessionReader {
  const admitted = new Set<string>();
  const toKey = ({ tokenHash, teamId = '' }: SessionSearch) => `${tokenHash} ${teamId}`;
  return {
    async find({ early }, search) {
      if (early === null || !admitted.has(toKey(search))) return findSession(db, search);
      const { holder, rows } = await findSessionAndRead(pool, search, early.statement);
      early.rows = rows;
      return holder;
    },
    admit(search) {
      if (admitted.size >= CALLERS) admitted.clear();
      admitted.add(toKey(search));
    },
    forget(search) {
      admitted.delete(toKey(search));
    },
  };
}
