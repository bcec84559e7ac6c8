import { join } from 'node:path';
import { type ProgramResult, runProgram } from '#testing/system/run-program.ts';

const CLI = join(import.meta.dirname, '../../../cli/src');

/** A program of this directory, or `workspace`: as drills have built it, else its source. */
export function programFile(name: string): string {
  const built = process.env.TEST_PROGRAMS;
  if (built) return join(built, `${name}.js`);
  return join(name === 'workspace' ? CLI : import.meta.dirname, `${name}.ts`);
}

/** Runs a CLI command with nothing of our environment but the path. */
export function runWorkspace(args: readonly string[], env: Record<string, string>): Promise<ProgramResult> {
  const program = [programFile('workspace'), ...args];
  return runProgram(process.execPath, program, { env: { PATH: process.env.PATH, ...env } });
}
