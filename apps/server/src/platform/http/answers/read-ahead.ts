import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * Reads the next page of an export while the client receives the current one, so that PostgreSQL and the server don't wait for each other.
 * A page is used once, by the person for whom it was read, and after their call was authorized as any other.
 */
export interface ReadAhead<Page> {
  /** The page that was read ahead for a person; undefined if there is none for this key. It fails if reading it fails. */
  take(personId: string, key: string): Promise<Page> | undefined;
  /**
   * Starts reading a page, unless one is there for this person or enough for all. The key must have everything on which the page depends, except rows of the
   * database and the time.
   */
  begin(personId: string, key: string, read: () => Promise<Page>): void;
  /** Drops what was read for a person. Their next page has all changes up to now. */
  drop(personId: string): void;
}

/** What was read for a person; without a page, they didn't ask for the last one in time. */
interface Entry<Page> {
  key: string;
  page: Promise<Page> | undefined;
  /** Stops the timer that ends it. */
  cancel: () => void;
}

/** What a `ReadAhead` depends on. */
export interface ReadAheadOptions {
  /** Whether a connection is idle and no caller waits for one. */
  isFree(): boolean;
  /** In place of a timer that doesn't keep the process running: calls `run` after that time, until what it returns is called. */
  startTimer?: (run: () => void, milliseconds: number) => () => void;
}

/** A page is used for this long after its reading began, in milliseconds: so much older than its call it can be. */
const LIFETIME_MS = 1_000;
/** For someone who asks later than that, nothing is read ahead for this long, since it would be read twice. */
const REST_MS = 60_000;
/** Pages at once, in a process; a usual one of users takes 0.9 MB. */
const MOST = 4;

/** Keeps the pages of a process. */
export function createReadAhead<Page>({ isFree, startTimer = startUnref }: ReadAheadOptions): ReadAhead<Page> {
  const entries = new Map<string, Entry<Page>>();
  const countPages = () => [...entries.values()].filter(({ page }) => page !== undefined).length;
  const remove = (personId: string) => {
    entries.get(personId)?.cancel();
    entries.delete(personId);
  };
  const drop = (personId: string) => {
    if (entries.get(personId)?.page !== undefined) remove(personId);
  };
  return {
    drop,
    take(personId, key) {
      const entry = entries.get(personId);
      if (entry?.page === undefined || entry.key !== key) return undefined;
      remove(personId);
      return entry.page;
    },
    begin(personId, key, read) {
      if (entries.has(personId) || countPages() >= MOST || !isFree()) return;
      const entry: Entry<Page> = { key, page: read(), cancel: () => {} };
      entries.set(personId, entry);
      entry.cancel = startTimer(() => {
        entry.page = undefined;
        entry.cancel = startTimer(() => remove(personId), REST_MS);
      }, LIFETIME_MS);
      // A failed page is dropped, and the next call reads it again.
      entry.page?.catch(() => entries.get(personId) === entry && drop(personId));
    },
  };
}

/** A page of an export, and how the one after it is read. */
export interface FollowedPage<Query, Page> {
  personId: string;
  /** Everything on which the page depends, except rows of the database and the time. */
  query: Query;
  /** The query of the next page; undefined if there is none, or if it shouldn't be read ahead. */
  getNext(page: Page): Query | undefined;
  read(query: Query): Promise<Page>;
}

/** Returns a page, and starts reading the next one. */
export async function readFollowed<Query, Page>(
  readAhead: ReadAhead<Page>,
  { personId, query, getNext, read }: FollowedPage<Query, Page>,
): Promise<Page> {
  const page = await (readAhead.take(personId, JSON.stringify(query)) ?? read(query));
  const next = getNext(page);
  if (next !== undefined) readAhead.begin(personId, JSON.stringify(next), () => read(next));
  return page;
}

function startUnref(run: () => void, milliseconds: number): () => void {
  const timer = setTimeout(run, milliseconds).unref();
  return () => clearTimeout(timer);
}

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Drops what was read for a person when a call of theirs that may have changed something is answered. */
export function dropAfterChanges(app: FastifyInstance, readAhead: Pick<ReadAhead<unknown>, 'drop'>): void {
  app.addHook('onSend', async ({ method, who }: FastifyRequest) => {
    if (READING.has(method)) return;
    const { personId } = (who ?? {}) as { personId?: string };
    if (personId !== undefined) readAhead.drop(personId);
  });
}
