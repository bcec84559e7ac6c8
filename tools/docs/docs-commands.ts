/** One command of a page, as whoever reads it would type it. */
export interface DocCommand {
  page: string;
  /** Counted from 1. */
  line: number;
  text: string;
  /** Lines of the same block that come before and set variables for what follows. */
  exports: string[];
}

/** A block that nobody runs here, and why. */
export interface LeftOut {
  page: string;
  line: number;
  reason: string;
}

/** What a page tells people to type. */
export interface PageCommands {
  commands: DocCommand[];
  leftOut: LeftOut[];
  problems: string[];
}

/** Words of a fence that would hide commands from the check. */
const OTHER_SHELLS = /^(bash|shell|console|zsh|shellsession)\b/;
/** The operator's commands are run wherever they stand in a sentence. */
const IN_A_SENTENCE = /`(npm (?:--silent )?run (?:--silent )?workspace -- [^`]+)`/g;

interface Block {
  info: string;
  line: number;
  lines: string[];
}

/** Finds the commands of a Markdown page: its `sh` blocks, and the operator's commands between them. */
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
  if (block) found.problems.push(`${page}:${block.line}: the block has no end`);
  return found;
}

function addBlock({ commands, leftOut, problems }: PageCommands, page: string, { info, line, lines }: Block): void {
  if (OTHER_SHELLS.test(info)) problems.push(`${page}:${line}: «${info}» is not run: call the block sh`);
  const [language, ...rest] = info.split(' ');
  if (language !== 'sh') return;
  const mark = rest.join(' ');
  const reason = /^no-check: (\S.*)$/.exec(mark)?.[1];
  if (reason !== undefined) leftOut.push({ page, line, reason });
  else if (mark !== '') problems.push(`${page}:${line}: «${mark}» should be «no-check: why»`);
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

/** Puts what is here in place of what the page only names: addresses, ids, directories. */
export function filledIn(text: string, here: readonly (readonly [string | RegExp, string])[]): string {
  return here.reduce((filled, [there, value]) => filled.replaceAll(there, () => value), text);
}

/** Placeholders that are left: `<team>`, `…`. What stands in quotes or after `<` as a file is none. */
export function placeholdersIn(text: string): string[] {
  return text.match(/<[a-z][\w -]*>|…/g) ?? [];
}

/** Whether a command goes on until it is stopped, and by what it is known to be ready. */
export function readyWhen(text: string): RegExp | undefined {
  if (/\bnpm (?:start|run dev)\b/.test(text)) return /^ {2}\S.* is at (http\S+)$/m;
  return /\bnpm run helpdesk-simulator\b/.test(text) ? /Ctrl-C ends it/ : undefined;
}
