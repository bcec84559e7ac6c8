import { spawn } from 'node:child_process';
import { collectOutput, type Said } from '#testing/faults/collect-output.ts';
import { programFile } from './program-file.ts';

/** Runs a CLI command with nothing of our environment but the path. */
export function runWorkspace(args: readonly string[], env: Record<string, string>): Promise<Said> {
  return collectOutput(
    spawn(process.execPath, [programFile('workspace'), ...args], {
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
}
