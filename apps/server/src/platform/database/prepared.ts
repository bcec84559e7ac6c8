import { hash } from 'node:crypto';
import { CompiledQuery, type RawBuilder } from 'kysely';
import type { Database, Trx } from './database.ts';

/** Marks the text of a statement that gets a name, because Kysely passes only the text to pg. */
const PREPARED = '/* prepared */ ';

/**
 * Runs a statement that each connection parses only once. After five runs PostgreSQL keeps one plan for all values, unless it
 * expects more of plans for each value, so values that decide about the plan (a limit, a list) belong into the text. There must be
 * few different texts, because connections keep all of them.
 */
export async function runPrepared<Row>(db: Database | Trx, statement: RawBuilder<Row>): Promise<Row[]> {
  const { sql, parameters } = statement.compile(db);
  return (await db.executeQuery<Row>(CompiledQuery.raw(PREPARED + sql, [...parameters]))).rows;
}

const names = new Map<string, string>();

/** Undefined unless `runPrepared` runs the statement. */
export function getStatementName(text: string): string | undefined {
  if (!text.startsWith(PREPARED)) return undefined;
  const name = names.get(text) ?? hash('sha256', text).slice(0, 32);
  names.set(text, name);
  return name;
}
