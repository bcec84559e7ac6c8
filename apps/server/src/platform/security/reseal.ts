import type { Database } from '#platform/database/database.ts';
import type { Secrets } from './secrets.ts';

export interface SealedRows<Row extends { sealed: string }> {
  purpose: string;
  list(db: Database): Promise<Row[]>;
  /** Must not replace a text that has changed in the meantime. */
  replace(db: Database, row: Row, sealed: string): Promise<void>;
}

/** `unreadable` counts texts that no key opened; they are unchanged. */
export interface Resealed {
  resealed: number;
  unreadable: number;
}

/** Undefined if `from` can't open the text. */
export function reseal(purpose: string, sealed: string, { from, to }: { from: Secrets; to: Secrets }) {
  try {
    return to.seal(purpose, from.open(purpose, sealed));
  } catch {
    return undefined;
  }
}

/** Seals the texts with the current key. Can be repeated. */
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
