import { hash } from 'node:crypto';
import { PAGE_ROWS } from '@steward/contract/api/limits';
import type { Secrets } from '#platform/security/secrets.ts';
import { refuse } from './errors.ts';

const PURPOSE = 'paging';

export type Cursor = readonly string[];

/** A cursor is valid only for the same list, team and filters. */
export interface ListScope {
  list: string;
  teamId: string;
  filters: Record<string, unknown>;
}

function fingerprint(scope: ListScope): string {
  const filters = Object.entries(scope.filters)
    .filter(([, value]) => value !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1));
  return hash('sha256', JSON.stringify([scope.list, scope.teamId, filters]), 'base64url');
}

/** Rejects a `last_key` that was modified or belongs to another list, team or filter. */
export function readCursor(secrets: Secrets, scope: ListScope, lastKey: string | undefined): Cursor | undefined {
  if (lastKey === undefined || lastKey === '') return undefined;
  const [payload = '', signature = '', ...rest] = lastKey.split('.');
  if (rest.length > 0 || !secrets.verify(PURPOSE, payload + fingerprint(scope), signature))
    refuse('request.invalid', 'last_key: belongs to another list');
  return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Cursor;
}

/** One row more than the page has, to find out if another page follows. */
export function rowsToFetch(limit: number | undefined): number {
  return (limit ?? PAGE_ROWS) + 1;
}

/** Removes the extra row of `rowsToFetch`. */
export function getPage<Row>(
  rows: Row[],
  options: {
    limit: number | undefined;
    first: boolean;
    secrets: Secrets;
    scope: ListScope;
    toKey: (row: Row) => Cursor;
  },
): { records: Row[]; last_key: string | null; reset?: boolean } {
  const { limit = PAGE_ROWS, first, secrets, scope, toKey } = options;
  const records = rows.length > limit ? rows.slice(0, limit) : rows;
  const reset = first ? { reset: true } : {};
  const last = rows.length > limit ? records.at(-1) : undefined;
  if (last === undefined) return { records, last_key: null, ...reset };
  const payload = Buffer.from(JSON.stringify(toKey(last)), 'utf8').toString('base64url');
  const signature = secrets.sign(PURPOSE, payload + fingerprint(scope));
  return { records, last_key: `${payload}.${signature}`, ...reset };
}
