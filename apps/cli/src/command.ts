import type { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import type { Workspace } from './open-workspace.ts';

/** Without `value` it is a switch. */
export interface Option {
  /** Placeholder for its value in the help text. */
  value?: string;
  help: string;
  required?: boolean;
}

export interface Outcome {
  /** The output with --json. */
  result: Record<string, unknown>;
  /** The output without --json. */
  lines: string[];
  /** The command reports an outcome but did not do all of its work: the exit code is 1. */
  failed?: boolean;
}

export interface Command {
  summary: string;
  /** Paragraphs below the options in the help text. */
  notes?: string[];
  options: Record<string, Option>;
  argument?: { name: string; help: string };
  /** Don't update the schema of the database first. */
  keepsSchema?: boolean;
  /** Checks the options before anything is opened and returns the function that does the work. Throws a Mistake. */
  prepare(given: Given): (workspace: Workspace, say: (line: string) => void, stdout: Writable) => Promise<Outcome>;
}

/** Options as given on the command line. */
export type Given = Record<string, string | undefined> & { switches: ReadonlySet<string>; argument?: string };

/** Wrong use of a command: its message is shown without a stack trace. */
export class Mistake extends Error {}

const COMMON: Record<string, Option> = {
  json: { help: 'Print one JSON object to standard output' },
  help: { help: 'Show this help' },
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
    if (all.length > 1 && !switches.has(name)) throw new Mistake(`--${name} can be used only once.`);
    if (typeof all[0] === 'string') given[name] = all[0];
  }
  const missing = Object.keys(known).filter((name) => known[name]?.required && given[name] === undefined);
  if (missing.length > 0 && !switches.has('help')) {
    throw new Mistake(`Missing option: ${missing.map((name) => `--${name}`).join(', ')}.`);
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
  if (typed === undefined) throw new Mistake(`Missing argument: <${argument.name}>.`);
  if (more.length > 0) throw new Mistake(`Only one <${argument.name}> is allowed.`);
  return { argument: typed };
}

function parsed<Values>(read: () => Values): Values {
  try {
    return read();
  } catch (error) {
    // Node.js adds how to escape arguments; the first sentence is enough.
    throw new Mistake((error as Error).message.replace(/\. To specify .*$/s, '.'));
  }
}

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
