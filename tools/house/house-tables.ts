import { type House, type Problem, withoutComments } from './house-files.ts';

const TABLES = 'apps/server/src/migrations/tables.gen.ts';
const ARCHITECTURE = 'docs/architecture.md';

/** Each table has one file that writes it, so that what its columns promise is kept in one place (decision 0012). */
export function brokenTables(house: House): Problem[] {
  const tables = getTables(house);
  const stores = house.files.filter((file) => /^apps\/server\/src\/.*\.ts$/.test(file) && mayWrite(file));
  const writers = stores.map((file) => ({ file, code: withoutComments(house.read(file)) }));
  const page = house.files.includes(ARCHITECTURE) ? house.read(ARCHITECTURE) : '';
  return tables.flatMap((table) => {
    const files = writers.filter(({ code }) => writes(code, table)).map(({ file }) => file);
    return [
      ...files
        .slice(1)
        .map((file) => ({ rule: 'tables', file, text: `writes ${table}, as ${files[0]} does: one table, one writer` })),
      ...(page.includes(`\`${table}\``)
        ? []
        : [{ rule: 'tables', file: ARCHITECTURE, text: `does not say whose table ${table} is` }]),
    ];
  });
}

function mayWrite(file: string): boolean {
  return !file.endsWith('.test.ts') && !file.startsWith('apps/server/src/migrations/');
}

/** Names of the tables: the members of `interface Tables`. */
function getTables(house: House): string[] {
  if (!house.files.includes(TABLES)) return [];
  const body = /interface Tables \{([^}]*)\}/.exec(withoutComments(house.read(TABLES)))?.[1] ?? '';
  return [...body.matchAll(/^\s*(\w+):/gm)].map((match) => match[1] ?? '');
}

function writes(code: string, table: string): boolean {
  const built = new RegExp(`\\.(insertInto|updateTable|deleteFrom|mergeInto)\\(\\s*'${table}(?: as \\w+)?'`);
  const text = new RegExp(`\\b(insert into|update|delete from|merge into|copy)\\s+${table}\\b(?!\\s*\\.)`, 'i');
  return built.test(code) || text.test(code);
}
