import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';

export interface Said {
  code: number | null;
  out: string;
  err: string;
}

/** Collects a program's output until it exits; rejects if it couldn't be started. */
export function collectOutput(child: ChildProcessByStdio<null, Readable, Readable>): Promise<Said> {
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
