import { Tokenizer, TokenKind } from 'liquidjs';

/** Delimiters of a mark's number: private-use characters, so that no ticket contains them. */
const [LEFT, RIGHT] = ['\ue000', '\ue001'];
const MARK = /\ue000(\d+)\ue001/g;

/** A mark in the template: the offset and length of the text that follows it. */
interface Mark {
  begin: number;
  length: number;
}

/**
 * The offset in a template that produced the character `at` of its output. The template is rendered again with a mark before
 * each piece of text; null if that changes the output, for example because a filter counts characters.
 */
export function findPositionInTemplate(
  source: string,
  { rendered, at }: { rendered: string; at: number },
  render: (source: string) => string,
): number | null {
  if (source.includes(LEFT) || rendered.includes(LEFT)) return null;
  const { marked, marks } = mark(source);
  const output = renderOrUndefined(() => render(marked));
  if (output?.replaceAll(MARK, '') !== rendered) return null;
  let place = 0;
  let marksBefore = 0;
  for (const { 0: match, 1: number, index } of output.matchAll(MARK)) {
    const begin = index - marksBefore;
    if (begin > at) break;
    marksBefore += match.length;
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
    // Whitespace control (`{{-`) trims spaces at the edges; a mark before them would prevent that.
    const spaces = isText ? text.length - text.trimStart().length : 0;
    const isMarked = isText ? spaces < text.length : wasCode;
    if (isMarked) marks.push({ begin: begin + spaces, length: isText ? text.length - spaces : 0 });
    marked += text.slice(0, spaces) + (isMarked ? `${LEFT}${marks.length - 1}${RIGHT}` : '') + text.slice(spaces);
    wasCode = !isText;
  }
  return { marked, marks };
}

function renderOrUndefined(render: () => string): string | undefined {
  try {
    return render();
  } catch {
    return undefined;
  }
}
