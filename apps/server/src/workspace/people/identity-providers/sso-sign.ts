import type { Deps } from '#platform/deps.ts';
import { hasConnection } from './connections.store.ts';

/** Longest wait for the database, in milliseconds: no page is late because of this. */
const WAIT_MS = 500;

/** Answers whether some team of the server signs in by single sign-on; while the database is slow, what was so before. */
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
