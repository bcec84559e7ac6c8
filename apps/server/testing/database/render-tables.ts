import { sql } from 'kysely';
import { JSON_TYPES, NOTES } from '#migrations/column-notes.ts';
import type { Database } from '#platform/database/database.ts';

interface Column {
  table: string;
  name: string;
  /** Name of the type in PostgreSQL, such as `int8`; `_text` is an array of texts. */
  type: string;
  nullable: boolean;
  hasDefault: boolean;
  computed: boolean;
  check: string | null;
}

const HEADER = `// Generated from the migrated schema by \`npm run generate:tables\`. Don't edit: notes are in column-notes.ts.
import type { JSONColumnType } from 'kysely';
import type { Computed, Day, Defaulted, Timestamp } from './column-types.ts';
`;

const TYPES: Record<string, string> = {
  text: 'string',
  varchar: 'string',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  bool: 'boolean',
  timestamptz: 'Timestamp',
  date: 'Day',
  _text: 'string[]',
  _int8: 'number[]',
  bytea: 'Buffer',
};
const ANY_JSON = 'Record<string, unknown>';

/**
 * Renders the table types of a migrated database, with the notes of `column-notes.ts` as comments. Throws for a type without
 * a TypeScript counterpart and for a note on a column that doesn't exist.
 */
export async function renderTables(db: Database): Promise<string> {
  const columns = await readColumns(db);
  const tables = [...new Set(columns.map(({ table }) => table))];
  const known = new Set([...tables, ...columns.map(({ table, name }) => `${table}.${name}`)]);
  const unknown = Object.keys({ ...NOTES, ...JSON_TYPES }).filter((name) => !known.has(name));
  if (unknown.length > 0) throw new Error(`column-notes.ts describes what doesn't exist: ${unknown.join(', ')}`);
  const interfaces = tables.map((table) => {
    const fields = columns.filter((column) => column.table === table).map(renderColumn);
    return `${renderNote(table, '')}interface ${toInterfaceName(table)} {\n${fields.join('')}}\n`;
  });
  const list = tables.map((table) => `  ${table}: ${toInterfaceName(table)};\n`).join('');
  return [HEADER, ...interfaces, `/** All tables, for Kysely. */\nexport interface Tables {\n${list}}\n`].join('\n');
}

async function readColumns(db: Database): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select c.relname as table, a.attname as name, t.typname as type, not a.attnotnull as nullable,
      a.atthasdef and a.attgenerated = '' as "hasDefault", a.attgenerated <> '' as computed,
      (select pg_get_constraintdef(k.oid) from pg_constraint k
        where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]) as check
    from pg_class c join pg_attribute a on a.attrelid = c.oid join pg_type t on t.oid = a.atttypid
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname not like 'kysely%'
      and a.attnum > 0 and not a.attisdropped
    order by c.relname collate "C", a.attnum`.execute(db);
  return rows;
}

function renderColumn(column: Column): string {
  const name = `${column.table}.${column.name}`;
  const base = column.type === 'jsonb' ? `JSONColumnType<${JSON_TYPES[name] ?? ANY_JSON}>` : TYPES[column.type];
  if (base === undefined) throw new Error(`${name}: no TypeScript type for ${column.type}`);
  const narrowed = column.check === null ? base : narrow(base, column.check);
  const type = `${narrowed}${column.nullable ? ' | null' : ''}`;
  const wrapped = column.computed ? `Computed<${type}>` : column.hasDefault ? `Defaulted<${type}>` : type;
  return `${renderNote(name, '  ')}  ${column.name}: ${wrapped};\n`;
}

/** Narrows a column to the values that its check constraint lists; other constraints narrow nothing. */
function narrow(base: string, check: string): string {
  const list = /^CHECK \(\(\w+ (?:= ANY \(|<@ )ARRAY\[([^\]]*)\]\)*$/.exec(check)?.[1];
  if (list === undefined) return base;
  const values = list
    .split(', ')
    .map((value) => value.replace(/::[\w ]+$/, ''))
    .join(' | ');
  return base === 'string[]' ? `(${values})[]` : values;
}

function renderNote(name: string, indent: string): string {
  const note = NOTES[name];
  return note === undefined ? '' : `${indent}/** ${note} */\n`;
}

/** `default_channels` → `DefaultChannelsTable`. */
function toInterfaceName(table: string): string {
  return `${table.replace(/(?:^|_)(\w)/g, (_, initial: string) => initial.toUpperCase())}Table`;
}
