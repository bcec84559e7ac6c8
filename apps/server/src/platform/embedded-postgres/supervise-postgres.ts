import { setTimeout as delay } from 'node:timers/promises';
import { type Claim, claimDataDir, type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';

/** Delay between two attempts to restart PostgreSQL, in milliseconds. */
const RETRY_MS = 1_000;

/** An embedded PostgreSQL supervised by this server. */
export interface SupervisedPostgres {
  /** Releases the data directory. PostgreSQL itself is stopped separately. */
  release(): Promise<void>;
}

/**
 * Locks the data directory for this server and restarts PostgreSQL when it dies, for example when it runs out of memory. Throws
 * if another server has locked the directory.
 */
export async function supervisePostgres(
  embedded: EmbeddedPostgres,
  options: Parameters<typeof startEmbeddedPostgres>[0],
): Promise<SupervisedPostgres> {
  const log = options.log ?? (() => undefined);
  let claim: Claim = await claimDataDir(embedded.connection);
  let released = false;
  const keep = async () => {
    for (;;) {
      await claim.ended;
      if (released) return;
      log('PostgreSQL has stopped and is being restarted');
      claim = await bringBack(() => released, options);
      if (released) return claim.release();
    }
  };
  const keeping = keep().catch((error: unknown) => log(`PostgreSQL is no longer supervised: ${String(error)}`));
  return {
    async release() {
      released = true;
      await claim.release();
      await keeping;
    },
  };
}

async function bringBack(
  isReleased: () => boolean,
  options: Parameters<typeof startEmbeddedPostgres>[0],
): Promise<Claim> {
  for (;;) {
    try {
      const { connection } = await startEmbeddedPostgres(options);
      return await claimDataDir(connection);
    } catch (error) {
      if (isReleased()) throw error;
      options.log?.(`can't restart PostgreSQL yet: ${error instanceof Error ? error.message : String(error)}`);
      await delay(RETRY_MS);
    }
  }
}
