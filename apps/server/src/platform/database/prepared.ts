import { hash } from 'node:crypto';
import { CompiledQuery, type RawBuilder } from 'kysely';
import type { Database, Trx } from './database.ts';

/** Marks the text of a statement that gets a name. Kysely passes only the text of a statement to pg. */
const PREPARED = '/* prepared */ ';

/**
 * Runs a statement that each connection plans only once. Its text must be one of a few, because connections keep every one of them, and
 * its plan must be right for all values, because PostgreSQL doesn't look at them again.
 */
export async function runPrepared<Row>(db: Database | Trx, statement: RawBuilder<Row>): Promise<Row[]> {
  const { sql, parameters } = statement.compile(db);
  return (await db.executeQuery<Row>(CompiledQuery.raw(PREPARED + sql, [...parameters]))).rows;
}

const names = new Map<string, string>();

/** The name under which a connection prepares a statement; undefined for other statements than those of `runPrepared`. */
export function getStatementName(text: string): string | undefined {
  if (!text.startsWith(PREPARED)) return undefined;
  const name = names.get(text) ?? hash('sha256', text).slice(0, 32);
  names.set(text, name);
  return name;
}
