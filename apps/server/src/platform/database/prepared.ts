import { hash } from 'node:crypto';
import type { RawBuilder } from 'kysely';
import type { Database, Trx } from './database.ts';

/** Names of statements by their text, which is all that Kysely passes to the connection. */
const names = new Map<string, string>();

/**
 * Runs a statement that each connection parses only once. After five runs PostgreSQL keeps one plan for all values, unless it
 * expects more of plans for each value, so values that decide about the plan (a limit, a list) belong into the text. There must be
 * few different texts, because connections keep all of them.
 */
export async function runPrepared<Row>(db: Database | Trx, statement: RawBuilder<Row>): Promise<Row[]> {
  const query = statement.compile(db);
  if (!names.has(query.sql)) names.set(query.sql, hash('sha256', query.sql).slice(0, 32));
  return (await db.executeQuery<Row>(query)).rows;
}

/** Undefined unless `runPrepared` has run the statement. */
export function getStatementName(text: string): string | undefined {
  return names.get(text);
}
