import { Email } from '../api/fields.ts';
import { isTitle, splitName } from './names.ts';
import type { Names } from './users.ts';

/** Names are empty if only an address was found. */
export interface Addressee extends Names {
  email: string;
}

/** An addressee, or text that isn't one. */
export type PastedPart = Addressee | { unread: string };

/** Copied text can contain these invisible characters. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** Words of a mail header that are encoded because of their characters (RFC 2047), with the quotes around them. */
const ENCODED = /"?(=\?[\w-]{1,40}\?[bq]\?[^?\s]{0,400}\?=(?:\s+=\?[\w-]{1,40}\?[bq]\?[^?\s]{0,400}\?=){0,20})"?/gi;

/** Repetitions are bounded, because text with only opening marks would otherwise be read to its end from each of them. */
const TOKEN =
  /"((?:[^"\\]|\\.){0,400})"|<([^<>]{0,400})>|\(([^()]{0,400})\)|\[([^[\]]{0,400})\]|([;,，；、])|[^\s"<>()[\];,，；、]+|["<>()[\]]/g;

/**
 * Reads a list of people as email programs, spreadsheets and documents copy it. The usual parsers of address lists don't fit:
 * they follow RFC 5322, where a comma always ends an entry, and drop what they can't read. Nothing is dropped here. Each
 * address is returned once, in the order of the text, and so is each piece of text that is neither an address nor a name.
 */
export function readAddresses(text: string): PastedPart[] {
  const seen = new Set<string>();
  return splitLines(text).filter((part) => {
    if ('unread' in part) return true;
    const isNew = !seen.has(part.email);
    seen.add(part.email);
    return isNew;
  });
}

function splitLines(text: string): PastedPart[] {
  const lines = text
    .replace(INVISIBLE, '')
    .replace(/[“”„‟«»＂]/g, '"')
    .replace(ENCODED, (_, words: string) => ` "${decodeWords(words).replace(/["\\]/g, '\\$&')}" `)
    // A long header continues in the next line.
    .replace(/\r?\n[ \t]+(?=<)/g, ' ')
    .split(/[\r\n\u2028\u2029]+/);
  const header = readHeader(lines[0] ?? '');
  const rows = header === undefined ? lines : lines.slice(1);
  return rows.flatMap((line) => {
    const separator = header?.separator ?? '\t';
    return line.includes(separator) ? readRow(line.split(separator), header?.names) : readLine(line);
  });
}

/** Formats an addressee so that reading the text gives the same one again. */
export function formatAddressee({ email, first_name, last_name }: Addressee): string {
  const name = last_name === '' ? first_name : `${last_name}, ${first_name}`;
  return name === '' ? email : `"${name.replace(/["\\]/g, '\\$&')}" <${email}>`;
}

type NameColumn = 'first' | 'last' | 'full' | undefined;

/** The first row of a spreadsheet can name its columns. */
function readHeader(line: string): { separator: string; names: NameColumn[] } | undefined {
  const separator = ['\t', ';', ','].find((char) => line.includes(char));
  if (separator === undefined || line.includes('@')) return undefined;
  const cells = line.split(separator).map((cell) => cell.replaceAll('"', '').trim());
  if (!cells.some((cell) => /^e-?mail\b/i.test(cell))) return undefined;
  const names = cells.map((cell): NameColumn => {
    if (/^(?:first|given)\b/i.test(cell)) return 'first';
    if (/^(?:last|family|sur)/i.test(cell)) return 'last';
    return /^(?:(?:full|display) )?name$/i.test(cell) ? 'full' : undefined;
  });
  return { separator, names };
}

/** Without a header, the cells before an address that look like names are the first name and the last name. */
function readRow(cells: readonly string[], header: readonly NameColumn[] | undefined): PastedPart[] {
  const values = cells.map((cell) =>
    cell
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .replaceAll('""', '"'),
  );
  const found = values.flatMap((value) => (value.includes('@') ? readLine(value) : []));
  if (!found.some((part) => 'email' in part)) return rejected(cells.join(' '));
  const column = (name: NameColumn) => values.find((_, at) => header?.[at] === name) ?? '';
  const place = values.findIndex((value) => value.includes('@'));
  const areNames = (some: string[]) => some.filter((value) => /\p{L}/u.test(value) && !/[\d@]/.test(value));
  const before = areNames(values.slice(0, place));
  const [first = '', last] = before.length > 0 ? before.slice(-2) : areNames(values.slice(place)).slice(0, 2);
  const guessed = last === undefined ? splitName(first) : { first_name: first, last_name: last };
  const named = { first_name: column('first'), last_name: column('last') };
  const hasNames = named.first_name !== '' || named.last_name !== '';
  const given = hasNames ? named : splitName(column('full'));
  const name = header === undefined ? guessed : given;
  let isNamed = false;
  return found.map((part) => {
    if (isNamed || 'unread' in part) return part;
    isNamed = true;
    return part.first_name === '' && part.last_name === '' ? { ...part, ...name } : part;
  });
}

interface Word {
  text: string;
  /** A comma in quotes separates nothing. */
  isComma: boolean;
}

/** Entries are separated by semicolons, by commas, or after a plain address only by a blank. */
function readLine(line: string): PastedPart[] {
  const parts: PastedPart[] = [];
  let words: Word[] = [];
  const end = () => {
    for (const some of splitAtCommas(words)) parts.push(...rejected(joinWords(some)));
    words = [];
  };
  for (const token of line.matchAll(TOKEN)) {
    const [text, quoted, angle, round, square, separator] = token;
    const inside = angle ?? round ?? square;
    const plain = quoted === undefined ? text : unescapeQuoted(quoted);
    const email = toEmail(inside ?? plain);
    if (separator === ',' || separator === '，' || separator === '、') words.push({ text: ',', isComma: true });
    else if (separator !== undefined) end();
    else if (email !== undefined && inside !== undefined) {
      parts.push(...readEntry(words, email, line));
      words = [];
    } else if (email !== undefined) {
      // The words before a plain address aren't known to be its name.
      words = dropLabel(words);
      end();
      parts.push({ email, first_name: '', last_name: '' });
    } else if (round !== undefined && words.length === 0 && isNameless(parts.at(-1)) && !round.includes('@')) {
      Object.assign(parts.at(-1) as Addressee, splitName(round));
    } else words.push({ text: plain, isComma: false });
  }
  words = words.filter(({ text }) => text !== '');
  end();
  return parts;
}

function isNameless(part: PastedPart | undefined): boolean {
  return part !== undefined && 'email' in part && part.first_name === '' && part.last_name === '';
}

/** The words before an address in brackets are its name. A comma among them is in `Last, First` or after an earlier entry. */
function readEntry(words: readonly Word[], email: string, line: string): PastedPart[] {
  const segments = splitAtCommas(dropLabel(words)).filter((some) => !isTitle(joinWords(some)));
  const [before, last] = segments.slice(-2);
  const hasTwoNames = before !== undefined && last !== undefined && before.length > 1 && last.length > 1;
  const isList = /[>)\]]\s{0,9},/.test(line);
  const used = hasTwoNames && isList ? 1 : 2;
  const others = segments.slice(0, -used).map(joinWords);
  const name = segments.slice(-used).map((some) => joinWords(some.filter(({ text }) => !isComment(text))));
  const broken = name.some((text) => text.includes('@'));
  const profile = broken ? { first_name: '', last_name: '' } : splitName(trimQuotes(name.join(', ')));
  return [...[...others, ...(broken ? name : [])].flatMap(rejected), { email, ...profile }];
}

function isComment(text: string): boolean {
  return /^[([<]/.test(text);
}

/** `To:` and the name of a group are labels, not names. */
function dropLabel(words: readonly Word[]): Word[] {
  const end = words.findLastIndex(({ text }) => text.endsWith(':')) + 1;
  const isLabel = !words.slice(0, end).some(({ text, isComma }) => isComma || text.includes('@'));
  return isLabel ? words.slice(end) : [...words];
}

function splitAtCommas(words: readonly Word[]): Word[][] {
  const segments: Word[][] = [[]];
  for (const word of words) {
    if (word.isComma) segments.push([]);
    else segments.at(-1)?.push(word);
  }
  return segments.filter((segment) => segment.length > 0);
}

function joinWords(words: readonly Word[]): string {
  return words.map(({ text }) => text).join(' ');
}

/** Bullets, dashes and the numbers of a list are left out. */
function rejected(text: string): PastedPart[] {
  const unread = text.replace(/^\s*(?:\d{1,4}[.)]|[-–—•*·])\s+/, '').trim();
  return /[\p{L}\p{N}@]/u.test(unread) && !/^\d{1,4}[.)]$/.test(unread) ? [{ unread }] : [];
}

/** The brackets, quotes and marks that surround an address in a sentence are removed. */
function toEmail(text: string): string | undefined {
  if (!text.includes('@') && !text.includes('%40')) return undefined;
  const bare = text.replace(/^[\s"'([<{‘’‹]+/, '').replace(/[\s"'()[\]<>{}‘’‹›.,;:!?…]+$/, '');
  const link = /^mailto:([^?]*)/i.exec(bare)?.[1];
  const { data, success } = Email.safeParse(link === undefined ? bare : decodeLink(link));
  return success ? data : undefined;
}

function decodeLink(link: string): string {
  try {
    return decodeURIComponent(link);
  } catch {
    return link;
  }
}

function trimQuotes(name: string): string {
  return name.trim().replace(/^['‘’](.*)['‘’]$/, '$1');
}

function unescapeQuoted(text: string): string {
  return text.replace(/\\(.)/g, '$1');
}

function decodeWords(words: string): string {
  return words.replace(
    /\s*=\?([\w-]+)\?([bq])\?([^?\s]*)\?=/gi,
    (whole, ...[charset, kind, text]: [string, string, string]) => {
      try {
        const hex = text
          .replaceAll('_', ' ')
          .replace(/=([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
        const bytes = Uint8Array.from(kind.toLowerCase() === 'b' ? atob(text) : hex, (char) => char.charCodeAt(0));
        return new TextDecoder(charset).decode(bytes);
      } catch {
        return whole;
      }
    },
  );
}
