import { type ProgramResult, runProgram } from '#testing/system/run-program.ts';
import { programFile } from './program-file.ts';

/** Runs a CLI command with nothing of our environment but the path. */
export function runWorkspace(args: readonly string[], env: Record<string, string>): Promise<ProgramResult> {
  const program = [programFile('workspace'), ...args];
  return runProgram(process.execPath, program, { env: { PATH: process.env.PATH, ...env } });
}
