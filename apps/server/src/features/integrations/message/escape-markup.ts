// Ticket text is untrusted. It is posted as plain text: it notifies no one, contains no links and isn't formatted. Clients
// render messages as Markdown, so Markdown characters are escaped with its own escapes, and text copied from a client is
// unchanged. Where Markdown has no escape (mentions, addresses, the start of a line), a zero-width joiner is inserted.

const JOINER = '\u2060';

/** The start of a line that would begin a heading, list, quotation, table, rule or code block. */
const BLOCK = /^(?:\s*(?:[-+*>#=|:~_`]|\d{1,9}[.)])|\s{4}|\s{0,3}\t)/;

const SPECIAL = [
  // A backslash that would escape the next character.
  '\\\\(?=[!-/:-@[-`{-~]|$)',
  '[`*[~_]',
  '<(?=\\S)',
  '&(?=#?\\w+;)',
  '@(?=\\S)',
  '#(?=\\p{L})',
  // Links: https://…, mailto:…, www.…, and example.com/… at the start of a line.
  // Some clients make a link of any scheme, even of one that they don't know or that is empty.
  ':(?=//)|(?<=[a-z\\d.+-]):(?=/)',
  '(?<=(?:https?|ftp|mailto|tel|sms|sip|xmpp|skype|callto|magnet|data|file|javascript)):(?=\\S)',
  '(?<=www\\d{0,3})\\.',
  '\\.(?=\\p{L}{2,}/)',
].join('|');

/** The text with uniform line breaks and visible control characters. */
export function cleaned(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\r\n|[\r\v\f\u0085\u2028\u2029\u2424]/g, '\n')
    .replaceAll(/[\u2060\ufeff\u202a-\u202c\u2066-\u2069]/g, '')
    .replaceAll(/[\u202d\u202e]/g, '\ufffd')
    .replaceAll(/(?![\n\t])\p{Cc}/gu, visible)
    .replace(/^(?:\s*\n)+/, '')
    .trimEnd();
}

/** Escapes cleaned text for a message. Only matches of `links`, the source of a regular expression, stay links. */
export function escapeMarkup(text: string, links = ''): string {
  const special = new RegExp(links === '' ? SPECIAL : `${links}|${SPECIAL}`, 'giu');
  const escapeLine = (line: string) =>
    line.replaceAll(special, (match, at: number) => (match.length > 1 ? match : escapeCharacter(line, at)));
  return text
    .split('\n')
    .map((line) => (BLOCK.test(line) ? JOINER : '') + escapeLine(line))
    .join('\n');
}

/** Cleaned text as a code block, for bodies that can't be parsed. */
export function escapeCodeBlock(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const fence = '`'.repeat(Math.max(3, ...runs.map(({ length }) => length + 1)));
  return `${fence}\n${text.replaceAll('@', `@${JOINER}`)}\n${fence}`;
}

/** The text that clients show for a message escaped here. */
export function toPlainText(message: string): string {
  const block = /^(`{3,})\n(.*)\n\1$/s.exec(message);
  const text = (block?.[2] ?? message).replaceAll(JOINER, '');
  if (block) return text;
  return text.replaceAll(/\\([\\`*_[~])|&(lt|amp);/g, (_, character?: string, name?: string) =>
    character === undefined ? (name === 'lt' ? '<' : '&') : character,
  );
}

function escapeCharacter(line: string, at: number): string {
  const character = line.charAt(at);
  const isWord = (other: string) => /[a-z0-9]/i.test(other);
  const next = line.charAt(at + 1);
  switch (character) {
    case '<':
      return '&lt;';
    case '&':
      return '&amp;';
    case '.':
      return `${JOINER}.`;
    case '@':
      return (/\S/.test(line.charAt(at - 1)) ? JOINER : '') + character + JOINER;
    case '#':
    case ':':
      return character + JOINER;
    case '~':
      return isWord(next) ? `\\~${JOINER}` : '\\~';
    case '_':
      return isWord(line.charAt(at - 1)) && isWord(next) ? '_' : '\\_';
    default:
      return `\\${character}`;
  }
}

/** C0 control characters have Unicode pictures; C1 ones have none. */
function visible(character: string): string {
  const code = character.charCodeAt(0);
  if (code > 0x7f) return '\ufffd';
  return String.fromCharCode(0x2400 + (code === 0x7f ? 0x21 : code));
}
