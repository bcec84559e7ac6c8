import { cpSync, mkdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

/** One instruction of a Dockerfile, continued lines joined. */
export interface Instruction {
  name: string;
  text: string;
}

/** The instructions after a FROM line; `from` is an image or an earlier stage. */
export interface Stage {
  name: string;
  from: string;
  instructions: Instruction[];
}

/** Reads the subset of the Dockerfile syntax that ours uses: no heredocs, no parser directives. */
export function parseStages(dockerfile: string): Stage[] {
  const lines = dockerfile
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n\s*/g, ' ')
    .split('\n');
  const instructions = lines
    .filter((line) => line.trim() !== '')
    .map((line) => ({ name: line.split(' ', 1)[0] ?? '', text: line.slice(line.indexOf(' ') + 1).trim() }));
  const stages: Stage[] = [];
  for (const instruction of instructions) {
    if (instruction.name === 'FROM') {
      const [from = '', , name = ''] = instruction.text.split(' ');
      stages.push({ name, from, instructions: [] });
    } else stages.at(-1)?.instructions.push(instruction);
  }
  return stages;
}

/** A COPY instruction. */
export interface Copy {
  /** Stage to copy from; undefined for the repository. */
  from: string | undefined;
  sources: string[];
  target: string;
}

/** Every COPY of a stage. */
export function getCopies(stage: Stage): Copy[] {
  return stage.instructions.filter(({ name }) => name === 'COPY').map(({ text }) => toCopy(text));
}

/** Parses a COPY instruction. */
export function toCopy(text: string): Copy {
  const words = text.split(/\s+/);
  const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length);
  const paths = words.filter((word) => !word.startsWith('--'));
  return { from, sources: paths.slice(0, -1), target: paths.at(-1) ?? '' };
}

/** Value of the last instruction with this name, or an empty string. */
export function getLast(stage: Stage, name: string): string {
  return stage.instructions.findLast((instruction) => instruction.name === name)?.text ?? '';
}

/** Copies as a builder does: a folder's content into a folder, files into a target that ends with a slash. */
export function copyInto({ sources, target }: Copy, { from, into }: { from: string; into: string }): void {
  for (const source of sources) {
    const path = join(from, source);
    const isInside = target.endsWith('/') && statSync(path).isFile();
    const to = isInside ? join(into, target, basename(source)) : join(into, target);
    mkdirSync(join(to, '..'), { recursive: true });
    // Links between packages stay relative.
    cpSync(path, to, { recursive: true, verbatimSymlinks: true });
  }
}
