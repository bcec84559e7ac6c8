import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** What a command said and how it ended. */
export interface Said {
  code: number | null;
  out: string;
  err: string;
}

const PROGRAM = join(import.meta.dirname, '../src/operator/workspace.ts');

/** Runs one of the operator's commands as the operator does, with nothing of our environment but the path. */
export function runWorkspace(args: readonly string[], env: Record<string, string>): Promise<Said> {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.err += text;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('close', (code) => resolve({ code, ...said }));
  });
}
