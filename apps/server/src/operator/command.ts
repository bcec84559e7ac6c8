import { parseArgs } from 'node:util';
import type { Workspace } from './open-workspace.ts';

/** One option of a command; without `value` it is a switch. */
export interface Option {
  /** What stands for the value in the help. */
  value?: string;
  help: string;
  required?: boolean;
}

/** What a command did: `result` for programs, `lines` for people. */
export interface Outcome {
  result: Record<string, unknown>;
  lines: string[];
  /** What was asked for did not come about, though the outcome can be told: the exit code says so. */
  failed?: boolean;
}

/** One of the operator's commands. */
export interface Command {
  summary: string;
  /** Whatever else is worth knowing before it is used. */
  notes?: string[];
  options: Record<string, Option>;
  /** The one thing that is typed without a name. */
  argument?: { name: string; help: string };
  /** It takes the database as it is, without bringing its schema up to date first. */
  keepsSchema?: boolean;
  /** Checks what was typed before anything is opened; throws a Mistake. What it answers does the work. */
  prepare(given: Given): (workspace: Workspace, say: (line: string) => void) => Promise<Outcome>;
}

/** Options as they were typed. */
export type Given = Record<string, string | undefined> & { switches: ReadonlySet<string>; argument?: string };

/** A wrong use of a command: its message is all that the operator has to see. */
export class Mistake extends Error {}

const COMMON: Record<string, Option> = {
  json: { help: 'Print one JSON object and nothing else on standard output' },
  help: { help: 'Show this' },
};

/** Reads the options of a command; an unknown, missing or repeated one is a Mistake. */
export function readOptions(command: Command, args: readonly string[]): Given {
  const known = { ...command.options, ...COMMON };
  const options = Object.fromEntries(
    Object.entries(known).map(([name, { value }]) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const), multiple: true as const },
    ]),
  );
  const { values, positionals } = parsed(() =>
    parseArgs({ args: [...args], options, strict: true, allowPositionals: command.argument !== undefined }),
  );
  const switches = new Set(Object.keys(values).filter((name) => known[name]?.value === undefined));
  const given: Record<string, string | undefined> = {};
  for (const [name, all = []] of Object.entries(values)) {
    if (all.length > 1 && !switches.has(name)) throw new Mistake(`--${name} is given more than once.`);
    if (typeof all[0] === 'string') given[name] = all[0];
  }
  const missing = Object.keys(known).filter((name) => known[name]?.required && given[name] === undefined);
  if (missing.length > 0 && !switches.has('help')) {
    throw new Mistake(`${missing.map((name) => `--${name}`).join(', ')} is missing.`);
  }
  return Object.assign(given, { switches, ...parseArgument(command, positionals, switches) }) as Given;
}

function parseArgument(
  { argument }: Command,
  positionals: string[],
  switches: ReadonlySet<string>,
): { argument?: string } {
  if (argument === undefined || switches.has('help')) return {};
  const [typed, ...more] = positionals;
  if (typed === undefined) throw new Mistake(`<${argument.name}> is missing.`);
  if (more.length > 0) throw new Mistake(`One <${argument.name}> is enough.`);
  return { argument: typed };
}

function parsed<Values>(read: () => Values): Values {
  try {
    return read();
  } catch (error) {
    // Node explains at length how to escape arguments; the first sentence is what counts.
    throw new Mistake((error as Error).message.replace(/\. To specify .*$/s, '.'));
  }
}

/** The help of one command. */
export function formatHelp(name: string, { summary, options, argument, notes = [] }: Command): string {
  const named = Object.entries({ ...options, ...COMMON }).map(([option, { value, help, required }]) => ({
    left: `--${option}${value === undefined ? '' : ` <${value}>`}`,
    right: required ? `${help} (required)` : help,
  }));
  const rows = argument ? [{ left: `<${argument.name}>`, right: `${argument.help} (required)` }, ...named] : named;
  const usage = `npm run workspace -- ${name}${argument ? ` <${argument.name}>` : ''} [options]`;
  const width = Math.max(...rows.map(({ left }) => left.length));
  const table = rows.map(({ left, right }) => `  ${left.padEnd(width)}  ${right}`);
  return [summary, '', usage, '', ...table, ...notes.flatMap((n) => ['', n])].join('\n');
}
