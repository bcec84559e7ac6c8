import { join } from 'node:path';
import { type ProgramResult, runProgram } from '#testing/system/run-program.ts';

const APPS = join(import.meta.dirname, '../../..');

/** The programs that tests start, each with its source. */
export const PROGRAMS = {
  server: join(APPS, 'server/src/app/main.ts'),
  workspace: join(APPS, 'cli/src/workspace.ts'),
  'serve-process': join(import.meta.dirname, 'serve-process.ts'),
  'retention-process': join(import.meta.dirname, 'retention-process.ts'),
  'uncaught-process': join(import.meta.dirname, 'uncaught-process.ts'),
};

export type ProgramName = keyof typeof PROGRAMS;

/** A program as drills have built it, else its source. */
export function programFile(name: ProgramName): string {
  const built = process.env.TEST_PROGRAMS;
  return built ? join(built, `${name}.js`) : PROGRAMS[name];
}

/** Runs a CLI command with nothing of our environment but the path. */
export function runWorkspace(args: readonly string[], env: Record<string, string>): Promise<ProgramResult> {
  const program = [programFile('workspace'), ...args];
  return runProgram(process.execPath, program, { env: { PATH: process.env.PATH, ...env } });
}
