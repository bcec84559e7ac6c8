import { Tokenizer, TokenKind } from 'liquidjs';

/** Line and column of a character, both counted from 1. */
export function lineAndColumn(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at);
  return { line: before.split('\n').length, column: at - before.lastIndexOf('\n') };
}

/** Signs that stand around the number of a mark; for private use, so that no ticket has them. */
const [LEFT, RIGHT] = ['\ue000', '\ue001'];
const MARK = /\ue000(\d+)\ue001/g;

/** A mark in the template: where the text behind it begins there, and how long it is. */
interface Mark {
  begin: number;
  length: number;
}

/**
 * The character of a template that the character `at` of its output comes from. To find out, the template is rendered again
 * with a mark before each piece of text; null when that renders otherwise than before, as when a filter counts characters.
 */
export function findPositionInTemplate(
  source: string,
  { rendered, at }: { rendered: string; at: number },
  render: (source: string) => string,
): number | null {
  if (source.includes(LEFT) || rendered.includes(LEFT)) return null;
  const { marked, marks } = mark(source);
  const output = tried(() => render(marked));
  if (output?.replaceAll(MARK, '') !== rendered) return null;
  let place = 0;
  let marksBefore = 0;
  for (const { 0: sign, 1: number, index } of output.matchAll(MARK)) {
    const begin = index - marksBefore;
    if (begin > at) break;
    marksBefore += sign.length;
    const { begin: inSource, length } = marks[Number(number)] ?? { begin: 0, length: 0 };
    place = inSource + Math.min(at - begin, length);
  }
  return place;
}

function mark(source: string): { marked: string; marks: Mark[] } {
  const marks: Mark[] = [];
  let marked = '';
  let wasCode = false;
  for (const { kind, begin, end } of new Tokenizer(source).readTopLevelTokens()) {
    const isText = kind === TokenKind.HTML;
    const text = source.slice(begin, end);
    // Spaces at an edge may be cut away by a dash in the braces beside them: a mark before them would save them.
    const spaces = isText ? text.length - text.trimStart().length : 0;
    const isMarked = isText ? spaces < text.length : wasCode;
    if (isMarked) marks.push({ begin: begin + spaces, length: isText ? text.length - spaces : 0 });
    marked += text.slice(0, spaces) + (isMarked ? `${LEFT}${marks.length - 1}${RIGHT}` : '') + text.slice(spaces);
    wasCode = !isText;
  }
  return { marked, marks };
}

function tried(render: () => string): string | undefined {
  try {
    return render();
  } catch {
    return undefined;
  }
}
