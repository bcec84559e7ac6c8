import type { Database } from '#platform/database/database.ts';
import type { Secrets } from './secrets.ts';

/** The rows of a table that hold a sealed text. */
export interface SealedRows<Row extends { sealed: string }> {
  purpose: string;
  list(db: Database): Promise<Row[]>;
  /** Replaces the text of a row, unless it has changed in the meantime. */
  replace(db: Database, row: Row, sealed: string): Promise<void>;
}

/** Counts of texts that were sealed again, and of those that no key opened and that were left unchanged. */
export interface Resealed {
  resealed: number;
  unreadable: number;
}

/** A sealed text, sealed with other secrets; undefined if the first can't open it. */
export function reseal(purpose: string, sealed: string, { from, to }: { from: Secrets; to: Secrets }) {
  try {
    return to.seal(purpose, from.open(purpose, sealed));
  } catch {
    return undefined;
  }
}

/** Seals the texts of rows with the current key. Can be repeated. */
export async function resealRows<Row extends { sealed: string }>(
  db: Database,
  secrets: Secrets,
  { purpose, list, replace }: SealedRows<Row>,
): Promise<Resealed> {
  const done: Resealed = { resealed: 0, unreadable: 0 };
  for (const row of await list(db)) {
    const sealed = reseal(purpose, row.sealed, { from: secrets, to: secrets });
    if (sealed !== undefined) await replace(db, row, sealed);
    done[sealed === undefined ? 'unreadable' : 'resealed'] += 1;
  }
  return done;
}
