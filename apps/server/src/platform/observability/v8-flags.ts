/**
 * Flags of V8 that count only when a process starts. Each half of the young generation has at most so many MiB; by default it grows to
 * 64 under load, although nearly everything in it is garbage (decision 0071).
 */
export const V8_FLAGS: readonly string[] = ['--max-semi-space-size=8'];

const getName = (flag: string) => flag.split('=')[0]?.replaceAll('_', '-');

/** The flags that the command line of this process doesn't have; one that it has keeps its value. */
export function listMissingFlags(given: readonly string[] = process.execArgv): string[] {
  const names = new Set(given.map(getName));
  return V8_FLAGS.filter((flag) => !names.has(getName(flag)));
}

/**
 * Replaces this process with Node.js running a program under the flags. Process id, environment and open files stay, so whoever
 * started it doesn't notice. Returns on Windows, which can't do that: there, the server runs without the flags.
 */
export function replaceProcess(program: readonly string[]): void {
  if (process.platform === 'win32') return;
  process.execve?.(process.execPath, [process.execPath, ...process.execArgv, ...listMissingFlags(), ...program]);
}
