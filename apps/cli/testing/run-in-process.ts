import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { ProgramResult } from '@steward/server/testing/system/run-program.ts';
import { runCommand } from '../src/run-command.ts';

/** Runs a command without the start of a process, which takes a second. workspace.drill.test.ts has real processes. */
export async function runInProcess(args: readonly string[], env: Record<string, string>): Promise<ProgramResult> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const output = Promise.all([text(stdout), text(stderr)]);
  const code = await runCommand(args, { env, stdout, stderr });
  stdout.end();
  stderr.end();
  const [out, err] = await output;
  return { code, out, err };
}
