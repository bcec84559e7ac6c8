import { Email } from '@steward/contract/api/fields';

/** Names are empty if only an address was pasted. */
export interface PastedPerson {
  email: string;
  first_name: string;
  last_name: string;
}

export interface PastedAddresses {
  /** Each address is listed once, in the order of the text. */
  people: PastedPerson[];
  /** Parts that aren't addresses are in the order of the text. */
  rejected: string[];
}

/**
 * An entry is `Name <address>`, with or without quotes around the name, or a part without blanks. Every repetition
 * before a bracket is bounded, because a text without brackets would otherwise be searched again from each of its
 * characters.
 */
const ENTRY =
  /(?:"([^"\n]{0,200})"|([^<>,;"\t\n]{0,200}?))[^\S\n]{0,9}<[^\S\n]{0,9}([^<>\n]{0,320}?)[^\S\n]{0,9}>|([^\s,;<>]+)/g;

/** Copied text can contain these invisible characters. */
const INVISIBLE = /[\u200b-\u200f\u2060\ufeff\u00ad]/g;

/**
 * The text can come from a spreadsheet, an email program or prose. Commas, semicolons, blanks or lines separate the
 * entries, which can be `Name <address>` or `mailto:` links.
 */
export function readPastedAddresses(text: string): PastedAddresses {
  const people = new Map<string, PastedPerson>();
  const rejected: string[] = [];
  const add = (part: string, name = '') => {
    const email = Email.safeParse(trimAddress(part));
    if (!email.success) rejected.push(part);
    else if (!people.has(email.data)) people.set(email.data, { email: email.data, ...splitName(name) });
  };
  for (const [, quoted, plain = '', inside, bare] of text.replace(INVISIBLE, '').matchAll(ENTRY)) {
    if (bare !== undefined) {
      if (!isWrapping(bare)) add(bare);
      continue;
    }
    // Addresses before the next name are separated only by blanks.
    const words = (quoted ?? plain).trim().split(/\s+/);
    const lastAddress = quoted === undefined ? words.findLastIndex((word) => word.includes('@')) : -1;
    for (const word of words.slice(0, lastAddress + 1)) add(word);
    add(inside ?? '', words.slice(lastAddress + 1).join(' '));
  }
  return { people: [...people.values()], rejected };
}

/** `mailto:` is removed, and so are the brackets, quotes and dots that surround an address in a sentence. */
function trimAddress(part: string): string {
  return part
    .replace(/^mailto:/i, '')
    .replace(/^[\s("'[“‘]+/, '')
    .replace(/[\s.,;:)"'\]”’]+$/, '');
}

/** Punctuation between addresses can be a bullet or a dash. */
function isWrapping(part: string): boolean {
  return !/[\p{L}\p{N}@]/u.test(part);
}

/** Names look like `Last, First` or `First Middle Last`. */
function splitName(name: string): Pick<PastedPerson, 'first_name' | 'last_name'> {
  const [last, first] = name.split(',').map((part) => part.trim());
  if (last !== undefined && first !== undefined && first !== '') return { first_name: first, last_name: last };
  const [given = '', ...others] = name.replaceAll(',', ' ').trim().split(/\s+/);
  return { first_name: given, last_name: others.join(' ') };
}
