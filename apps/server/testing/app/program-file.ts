import { join } from 'node:path';

const CLI = join(import.meta.dirname, '../../../cli/src');

/** A program of this directory, or `workspace`: as drills have built it, else its source. */
export function programFile(name: string): string {
  const built = process.env.TEST_PROGRAMS;
  if (built) return join(built, `${name}.js`);
  return join(name === 'workspace' ? CLI : import.meta.dirname, `${name}.ts`);
}
