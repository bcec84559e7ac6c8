// Text of tickets is written by strangers. What is posted of it shows exactly what they wrote, but notifies nobody, links
// nowhere and is formatted by nothing. Clients read messages as Markdown, so its signs are escaped as Markdown itself escapes
// them, and copied from a client the text is what it was. Where Markdown has no escape (mentions, addresses, the start of a
// line), a joiner without width stands between the signs.

const JOINER = '\u2060';

/** What begins a heading, a list, a quotation, a table, a rule or a block of code when a line begins with it. */
const BLOCK = /^(?:\s*(?:[-+*>#=|:~_`]|\d{1,9}[.)])|\s{4}|\s{0,3}\t)/;

const SPECIAL = [
  // A backslash that would take the sign behind it away.
  '\\\\(?=[!-/:-@[-`{-~]|$)',
  '[`*[~_]',
  '<(?=\\S)',
  '&(?=#?\\w+;)',
  '@(?=\\S)',
  '#(?=\\p{L})',
  // Addresses: https://…, mailto:…, www.…, and example.com/… at the start of a line.
  '(?<=[a-z\\d.+-]):(?=/)',
  '(?<=(?:https?|ftp|mailto|tel|sms|sip|xmpp|skype|callto|magnet|data|file|javascript)):(?=\\S)',
  '(?<=www\\d{0,3})\\.',
  '\\.(?=\\p{L}{2,}/)',
].join('|');

/** The text with nothing in it that a screen does not show as itself: line breaks of one kind, control signs made visible. */
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

/** Cleaned text as a message. Only what matches `links`, the source of a regular expression, stays a link. */
export function escapeMarkup(text: string, links = ''): string {
  const special = new RegExp(links === '' ? SPECIAL : `${links}|${SPECIAL}`, 'giu');
  const dressed = (line: string) =>
    line.replaceAll(special, (sign, at: number) => (sign.length > 1 ? sign : harmless(line, at)));
  return text
    .split('\n')
    .map((line) => (BLOCK.test(line) ? JOINER : '') + dressed(line))
    .join('\n');
}

/** Cleaned text as a block of code: for what cannot be read as anything else. */
export function escapeCodeBlock(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const fence = '`'.repeat(Math.max(3, ...runs.map(({ length }) => length + 1)));
  return `${fence}\n${text.replaceAll('@', `@${JOINER}`)}\n${fence}`;
}

/** What clients show of a message that was made here. */
export function toPlainText(message: string): string {
  const block = /^(`{3,})\n(.*)\n\1$/s.exec(message);
  const text = (block?.[2] ?? message).replaceAll(JOINER, '');
  if (block) return text;
  return text.replaceAll(/\\([\\`*_[~])|&(lt|amp);/g, (_, sign?: string, name?: string) =>
    sign === undefined ? (name === 'lt' ? '<' : '&') : sign,
  );
}

function harmless(line: string, at: number): string {
  const sign = line.charAt(at);
  const isWord = (character: string) => /[a-z0-9]/i.test(character);
  const next = line.charAt(at + 1);
  switch (sign) {
    case '<':
      return '&lt;';
    case '&':
      return '&amp;';
    case '.':
      return `${JOINER}.`;
    case '@':
      return (/\S/.test(line.charAt(at - 1)) ? JOINER : '') + sign + JOINER;
    case '#':
    case ':':
      return sign + JOINER;
    case '~':
      return isWord(next) ? `\\~${JOINER}` : '\\~';
    case '_':
      return isWord(line.charAt(at - 1)) && isWord(next) ? '_' : '\\_';
    default:
      return `\\${sign}`;
  }
}

/** Control signs have pictures; those of the second set have none. */
function visible(sign: string): string {
  const code = sign.charCodeAt(0);
  if (code > 0x7f) return '\ufffd';
  return String.fromCharCode(0x2400 + (code === 0x7f ? 0x21 : code));
}
