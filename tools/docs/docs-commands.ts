/** The command is written as a reader would type it. */
export interface DocCommand {
  page: string;
  /** Counted from 1. */
  line: number;
  text: string;
  /** Export lines before the command in the same block. */
  exports: string[];
}

/** The block is not run for this reason. */
export interface LeftOut {
  page: string;
  line: number;
  reason: string;
}

export interface PageCommands {
  commands: DocCommand[];
  leftOut: LeftOut[];
  problems: string[];
}

/** Blocks in these languages would hide commands from the check. */
const OTHER_SHELLS = /^(bash|shell|console|zsh|shellsession)\b/;
/** Operator commands inside sentences are run too. */
const IN_A_SENTENCE = /`(npm (?:--silent )?run (?:--silent )?workspace -- [^`]+)`/g;

interface Block {
  info: string;
  line: number;
  lines: string[];
}

/** A page has commands in its `sh` blocks, and operator's commands in its text. */
export function parseCommands(page: string, markdown: string): PageCommands {
  const found: PageCommands = { commands: [], leftOut: [], problems: [] };
  let block: Block | undefined;
  for (const [at, line] of markdown.split('\n').entries()) {
    const fence = /^\s*```(.*)$/.exec(line);
    if (fence && block) {
      addBlock(found, page, block);
      block = undefined;
    } else if (fence) block = { info: (fence[1] ?? '').trim(), line: at + 1, lines: [] };
    else if (block) block.lines.push(line);
    else {
      for (const [, text = ''] of line.matchAll(IN_A_SENTENCE))
        found.commands.push({ page, line: at + 1, text, exports: [] });
    }
  }
  if (block) found.problems.push(`${page}:${block.line}: the block is not closed`);
  return found;
}

function addBlock({ commands, leftOut, problems }: PageCommands, page: string, { info, line, lines }: Block): void {
  if (OTHER_SHELLS.test(info)) problems.push(`${page}:${line}: ${info} blocks are not run: use sh`);
  const [language, ...rest] = info.split(' ');
  if (language !== 'sh') return;
  const mark = rest.join(' ');
  const reason = /^no-check: (\S.*)$/.exec(mark)?.[1];
  if (reason !== undefined) leftOut.push({ page, line, reason });
  else if (mark !== '') problems.push(`${page}:${line}: “${mark}” should be “no-check: reason”`);
  else commands.push(...parseBlockCommands(page, line, lines));
}

function parseBlockCommands(page: string, blockLine: number, lines: string[]): DocCommand[] {
  const commands: DocCommand[] = [];
  const exports: string[] = [];
  let text = '';
  for (const [at, line] of lines.entries()) {
    text += line.replace(/(^|\s)#\s.*$/, '').trimEnd();
    if (text.endsWith('\\')) {
      text += '\n';
      continue;
    }
    if (text.startsWith('export ')) exports.push(text);
    else if (text.trim() !== '') commands.push({ page, line: blockLine + at + 1, text, exports: [...exports] });
    text = '';
  }
  return commands;
}

/** Replaces example values (addresses, ids, directories) by real ones. */
export function filledIn(text: string, here: readonly (readonly [string | RegExp, string])[]): string {
  return here.reduce((filled, [there, value]) => filled.replaceAll(there, () => value), text);
}

/** Returns the remaining placeholders, such as `<team>` or `…`. */
export function placeholdersIn(text: string): string[] {
  return text.match(/<[a-z][\w -]*>|…/g) ?? [];
}

/** Matches the line that says that a long-running command is ready; undefined for other commands. */
export function readyWhen(text: string): RegExp | undefined {
  if (/\bnpm (?:start|run dev)\b/.test(text)) return /^ {2}\S.* is at (http\S+)$/m;
  return /\bnpm run (helpdesk|mattermost)-simulator\b/.test(text) ? /Ctrl-C ends it/ : undefined;
}
