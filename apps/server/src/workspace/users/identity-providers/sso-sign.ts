import type { Deps } from '#platform/deps.ts';
import { hasConnection } from './connections.store.ts';

/** The longest wait for the database, in milliseconds, so that pages aren't late. */
const WAIT_MS = 500;

/** Tells if any team of the server uses single sign-on; while the database is slow, the previous answer. */
export function createSsoSign({ db }: Deps): () => Promise<boolean> {
  let known = false;
  return async () => {
    const read = hasConnection(db).then(
      (has) => {
        known = has;
      },
      () => undefined,
    );
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, WAIT_MS).unref();
    });
    await Promise.race([read, late]);
    clearTimeout(timer);
    return known;
  };
}
