import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { collectOutput, type Said } from '#testing/faults/collect-output.ts';

const PROGRAM = join(import.meta.dirname, '../../../cli/src/workspace.ts');

/** Runs a CLI command with nothing of our environment but the path. */
export function runWorkspace(args: readonly string[], env: Record<string, string>): Promise<Said> {
  return collectOutput(
    spawn(process.execPath, [PROGRAM, ...args], {
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
}
