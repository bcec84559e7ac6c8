import { isVisible } from '../api/fields.ts';
import type { Names } from './users.ts';

interface Named extends Names {
  email: string;
}

/** Returns the email of a user without a name. */
export function fullName({ first_name, last_name, email }: Named): string {
  const name = `${first_name} ${last_name}`.trim();
  return name === '' ? email : name;
}

/** A title after a name isn't a part of it: `Lee, Ann, PhD`. */
export function isTitle(text: string): boolean {
  return /^(?:jr|sr|ii|iii|iv|phd|ph\.d|md|m\.d|esq|mba|cpa)\.?$/i.test(text);
}

/** Reads `Last, First` or `First Middle Last`. */
export function splitName(name: string): Names {
  const parts = name.split(',').map((part) => part.trim().replace(/\s+/g, ' '));
  const [last = '', ...others] = parts.filter((part) => part !== '' && !isTitle(part));
  if (others.length > 0) return { first_name: others.join(' '), last_name: last };
  const [first_name = '', ...rest] = last.split(' ');
  return { first_name, last_name: rest.join(' ') };
}

// Creating one is slow, and scrolling a list renders many names.
const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Shown for a user without a picture. */
export function getInitials({ first_name, last_name, email }: Named): string {
  const initials = toInitial(first_name) + toInitial(last_name);
  return initials || toInitial(email) || '?';
}

/** The first visible character with its marks and joiners, in upper case if that is one character too: ß would become SS. */
function toInitial(word: string): string {
  for (const { segment } of GRAPHEMES.segment(word)) {
    if (!isVisible(segment)) continue;
    const upper = segment.toUpperCase();
    return [...GRAPHEMES.segment(upper)].length === 1 ? upper : segment;
  }
  return '';
}

/** Hue in degrees of the color behind the initials. */
export function getHue(id: string): number {
  return [...id].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % 360, 7);
}
