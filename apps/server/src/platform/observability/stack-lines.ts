import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Which lines of the built files come from which source; `tools/build/build-server.ts` writes it. */
interface Lines {
  sources: string[];
  /** Of each file, in order: where a run of lines begins, its source or -1 for a package, and the line there. */
  files: Record<string, [line: number, source: number, sourceLine: number][]>;
}

const BUILT = join(import.meta.dirname, '../../../dist');

/**
 * A built file, a line, and a column. It begins with fixed text, because a stack includes a message, which may be long and chosen by a
 * stranger.
 */
const FRAME = /\/apps\/server\/dist\/([\w-]+\.js):(\d+):\d+/g;

let lines: Lines | undefined;

/**
 * A stack trace of the built server with the lines of its sources, such as `…/apps/server/src/app/run.ts:22`. Lines of packages stay
 * those of the built file; so do all of them if the build is incomplete. The first trace reads 300 KB.
 */
export function toSourceStack(stack: string): string {
  return stack.replaceAll(FRAME, (frame, file: string, line: string) => findSource(file, Number(line)) ?? frame);
}

function findSource(file: string, line: number): string | undefined {
  lines ??= readLines();
  const [from = 0, source = -1, sourceLine = 0] = lines.files[file]?.findLast((run) => run[0] <= line) ?? [];
  const name = lines.sources[source];
  return name === undefined ? undefined : `/${name}:${sourceLine + line - from}`;
}

function readLines(): Lines {
  try {
    return JSON.parse(readFileSync(join(BUILT, 'lines.json'), 'utf8')) as Lines;
  } catch {
    return { sources: [], files: {} };
  }
}
