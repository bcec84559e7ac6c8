import { type ExecFileException, type ExecFileOptions, execFile } from 'node:child_process';

export interface ProgramResult {
  code: number | null;
  out: string;
  err: string;
}

/** Runs a program without input until it exits; rejects if it couldn't be started. */
export function runProgram(file: string, args: readonly string[], options: ExecFileOptions): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    const end = (error: ExecFileException | null, out: string, err: string) => {
      if (typeof error?.code === 'string') reject(error);
      else resolve({ code: error === null ? 0 : (error.code ?? null), out, err });
    };
    const all = { maxBuffer: Number.POSITIVE_INFINITY, ...options, encoding: 'utf8' } as const;
    execFile(file, args, all, end).stdin?.end();
  });
}
