// Values come from outside: they are posted as plain text, which notifies no one and isn't formatted. Clients render messages as
// Markdown, so Markdown characters are escaped with its own escapes, limited to those that all clients know. Where Markdown has
// no escape (mentions, schemes, indentation), a zero-width joiner is inserted. Only plain http and https addresses stay links:
// what they show is where they lead.

const JOINER = '\u2060';

/** A run of characters that starts like an address. `<`, `>` and quotes end it. */
const ADDRESS = /(?<![\p{L}\p{N}+.-])(https?:\/\/[^\s<>"]+)/iu;
/** Trailing punctuation isn't part of an address, nor is a bracket that it doesn't open. */
const AFTER_ADDRESS = /[.,;:!?'*_~\])}`|]+$/;
/** Neither a name nor a password may pretend to be the host. */
const PLAIN_ADDRESS =
  /^https?:\/\/[\p{L}\p{N}](?:[\p{L}\p{N}.-]|(?<=[a-z0-9])_(?=[a-z0-9]))*(?::\d{1,5})?(?:[/?#].*)?$/iu;

const SPECIAL = new RegExp(
  [
    // A backslash that would escape the next character.
    '\\\\(?=[!-/:-@[-`{-~]|$)',
    '[`*[\\]~_<|]',
    '&(?=#?\\w+;)',
    // An exclamation mark at the end would turn a link that follows the value into a picture.
    '!$',
    '@(?=\\S|$)',
    '(?<![\\p{L}\\p{N}])#(?=\\p{L}|$)',
    // Some clients make a link of any scheme, even of one that they don't know or that is empty.
    '(?<=www\\d{0,3})\\.',
    ':(?=//)|(?<=[a-z\\d.+-]):(?=/)|^//',
    '(?<=(?:mailto|tel|sms|sip|xmpp|skype|callto|magnet|data|file|javascript|vbscript)):(?=\\S|$)',
  ].join('|'),
  'giu',
);

/** Text with uniform line breaks and visible control characters. */
export function cleanCharacters(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\r\n|[\r\v\f\u0085\u2028\u2029\u2424]/g, '\n')
    .replaceAll(/[\u2060\ufeff\u202a-\u202c\u2066-\u2069]/g, '')
    .replaceAll(/[\u202d\u202e]/g, '\ufffd')
    .replaceAll(/(?![\n\t])\p{Cc}/gu, visible);
}

/** Text without blank lines at its start and spaces at its end. */
export function trimmed(text: string): string {
  return text.replace(/^(?:\s*\n)+/, '').trimEnd();
}

/** Escapes a value, wherever a template puts it in a message. What follows it in the template stays in the same line. */
export function escapeMarkup(value: string): string {
  const inLine = cleanCharacters(value).replaceAll(/^\s*\n|\n\s*$/g, '');
  return inLine.split('\n').map(escapeLine).join('\n');
}

/** Cleaned text as a code block of a limited length, for bodies that can't be parsed. */
export function escapeCodeBlock(text: string, lengthMax: number): { text: string; isCut: boolean } {
  const runs = text.match(/`+/g) ?? [];
  const fence = '`'.repeat(Math.max(3, ...runs.map(({ length }) => length + 1)));
  const around = 2 * (fence.length + 1);
  const fitting = cutMessage(text.replaceAll('@', `@${JOINER}`), Math.max(0, lengthMax - around));
  return { text: `${fence}\n${fitting.text}\n${fence}`, isCut: fitting.isCut };
}

/** As much of a message as fits, without a half escape, character or address at its end. */
export function cutMessage(message: string, lengthMax: number): { text: string; isCut: boolean } {
  if (message.length <= lengthMax) return { text: message, isCut: false };
  const part = message
    .slice(0, Math.max(0, lengthMax - 1))
    .replace(/[\ud800-\udbff]$|https?:\/\/\S*$|&[#\w]{0,4}$/i, '')
    .replace(/(?<!\\)((?:\\\\)*)\\$/, '$1');
  return { text: `${part}…`, isCut: true };
}

/** The text that clients show for a message escaped here. */
export function toPlainText(message: string): string {
  const block = /^(`{3,})\n(.*)\n\1$/s.exec(message);
  const text = (block?.[2] ?? message).replaceAll(JOINER, '');
  if (block) return text;
  return text
    .replaceAll(/<(https?:\/\/[^\s<>]+)>/gi, '$1')
    .replaceAll(/\\([\\`*_[\]~|#+\->.)!])|&(lt|amp|#91|#93|#96);/g, (_, character?: string, name = '') =>
      character === undefined ? (ENTITIES[name] ?? '') : character,
    );
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', amp: '&', '#91': '[', '#93': ']', '#96': '`' };

/** The text before a value isn't known, so its first line may start a line of the message too. */
function escapeLine(line: string, index: number): string {
  const parts = line.split(ADDRESS);
  // Every second part is an address.
  const escaped = parts.map((part, at) => (at % 2 === 0 ? escapeText(part) : escapeAddress(part, parts[at + 1] ?? '')));
  return escapeLineStart(escaped.join(''), index);
}

function escapeText(text: string): string {
  return text.replaceAll(SPECIAL, (match, at: number) => escapeCharacter(text, match, at));
}

/** A line must not start a heading, list, quotation, table, rule or block of code. */
function escapeLineStart(line: string, index: number): string {
  const isIndented = /^\s{4}|^\s{0,3}\t/.test(line) || (index === 0 && /^\s/.test(line));
  // The template's text after digits could make them the number of a list.
  const isNumber = index > 0 && /^\s*\d{1,9}$/.test(line);
  if (isIndented || isNumber || /^\s*[=:]/.test(line)) return JOINER + line;
  return line.replace(/^(\s*)([-+>#]|(?:\d{1,9})?[.)](?=\s|$))/, (_, space: string, sign: string) => {
    return `${space}${sign.slice(0, -1)}\\${sign.slice(-1)}`;
  });
}

/** Anything but a plain address is escaped as text, and so is punctuation after one. */
function escapeAddress(run: string, next: string): string {
  let address = run.replace(AFTER_ADDRESS, '');
  // A closing bracket belongs to the address if the address has opened one.
  while (run.charAt(address.length) === ')' && countCharacter(address, '(') > countCharacter(address, ')'))
    address += ')';
  // The end of an entity is encoded with it.
  if (/&#?\w+$/.test(address) && run.charAt(address.length) === ';') address += ';';
  if (!PLAIN_ADDRESS.test(address)) return escapeText(run);
  const rest = escapeText(run.slice(address.length));
  const encoded = encodeAddress(address);
  // Clients would take what follows as part of the address, unless it is a space or the punctuation of a sentence.
  return (/[\\&]/.test(rest) || /^[<>"]/.test(next) ? `<${encoded}>` : encoded) + rest;
}

/** Percent-encodes what could end an address early, mention someone or format the text. Servers read it as the same address. */
function encodeAddress(address: string): string {
  const [start = ''] = /^https?:\/\/[^/?#]*/i.exec(address) ?? [];
  const path = address
    .slice(start.length)
    .replaceAll(/[()[\]{}|\\^`*~@;]|(?<![a-z0-9])_|_(?![a-z0-9])/gi, (character) => {
      return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
    });
  return start + path;
}

function escapeCharacter(line: string, match: string, at: number): string {
  const isWord = (other: string) => /[a-z0-9]/i.test(other);
  const [before, after] = [line.charAt(at - 1), line.charAt(at + match.length)];
  switch (match) {
    case '<':
      return '&lt;';
    case '&':
      return '&amp;';
    // A code span of the template doesn't end here, and some clients forget about other escapes of brackets in links.
    case '`':
    case '[':
    case ']':
      return `&#${match.charCodeAt(0)};`;
    case '@':
      // An address of email mentions no one.
      if (isWord(before) && isWord(after)) return match;
      return (/\S/.test(before) ? JOINER : '') + match + JOINER;
    case '#':
    case ':':
      return match + JOINER;
    case '.':
      return `${JOINER}.`;
    case '//':
      return `/${JOINER}/`;
    case '~':
      return isWord(after) || after === '' ? `\\~${JOINER}` : '\\~';
    case '_':
      return isWord(before) && isWord(after) ? '_' : '\\_';
    default:
      return `\\${match}`;
  }
}

function countCharacter(text: string, character: string): number {
  return text.split(character).length - 1;
}

/** C0 control characters have Unicode pictures; C1 ones have none. */
function visible(character: string): string {
  const code = character.charCodeAt(0);
  if (code > 0x7f) return '\ufffd';
  return String.fromCharCode(0x2400 + (code === 0x7f ? 0x21 : code));
}
