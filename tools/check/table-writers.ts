import { type Sources, withoutComments } from './source-files.ts';

const TABLES = 'apps/server/src/migrations/tables.gen.ts';

/**
 * Only one file writes each table, so that it can guarantee the meaning of its columns, and the architecture page names its
 * folder. Returns every exception, as `file: problem`.
 */
export function findTableFaults(sources: Sources, architecture: string): string[] {
  const writers = [...sources]
    .filter(([file]) => /^apps\/\w+\/src\//.test(file) && !/\.test\.ts$|\/src\/migrations\//.test(file))
    .map(([file, code]) => ({ file, code: withoutComments(code) }));
  return listTables(sources).flatMap((table) => {
    const [owner, ...others] = writers.filter(({ code }) => writes(code, table)).map(({ file }) => file);
    const faults = others.map((file) => `${file}: writes ${table}, as ${owner} does: one table, one writer`);
    if (!architecture.includes(`\`${table}\``)) faults.push(`docs/architecture.md: doesn't list the table ${table}`);
    return faults;
  });
}

/** Lists the members of `interface Tables`. */
function listTables(sources: Sources): string[] {
  const body = /interface Tables \{([^}]*)\}/.exec(withoutComments(sources.get(TABLES) ?? ''))?.[1];
  if (body === undefined) throw new Error(`${TABLES} has no interface Tables: the check would pass for any writer.`);
  return [...body.matchAll(/^\s*(\w+):/gm)].map((match) => match[1] ?? '');
}

function writes(code: string, table: string): boolean {
  const built = new RegExp(`\\.(insertInto|updateTable|deleteFrom|mergeInto)\\(\\s*'${table}(?: as \\w+)?'`);
  const written = new RegExp(`\\b(insert into|update|delete from|merge into|copy)\\s+${table}\\b(?!\\s*\\.)`, 'i');
  return built.test(code) || written.test(code);
}
