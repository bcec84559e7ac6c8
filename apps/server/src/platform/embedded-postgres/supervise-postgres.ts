import { setTimeout as delay } from 'node:timers/promises';
import { type Claim, claimDataDir, type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';

/** Wait between two tries to bring PostgreSQL back, in milliseconds. */
const AGAIN_MS = 1_000;

/** An embedded PostgreSQL that a server holds. */
export interface SupervisedPostgres {
  /** Gives up the claim; PostgreSQL itself is stopped by its own handle. */
  release(): Promise<void>;
}

/**
 * Claims the data directory for this server and brings PostgreSQL back when it dies under us, by a kill or for want of
 * memory: nobody else watches it (trust F7). Throws when another server holds the directory.
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
      log('PostgreSQL went away and is started again');
      claim = await bringBack(() => released, options);
      if (released) return claim.release();
    }
  };
  const keeping = keep().catch((error: unknown) => log(`PostgreSQL is not watched any more: ${String(error)}`));
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
      options.log?.(`PostgreSQL does not come back yet: ${error instanceof Error ? error.message : String(error)}`);
      await delay(AGAIN_MS);
    }
  }
}
