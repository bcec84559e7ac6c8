import { randomInt } from 'node:crypto';

/** Nothing that is easily read as something else. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';

/** A password to be read from a screen and typed: four groups of five, 99 random bits. */
export function newPassword(): string {
  const randomLetter = () => LETTERS[randomInt(LETTERS.length)];
  return Array.from({ length: 4 }, () => Array.from({ length: 5 }, randomLetter).join('')).join('-');
}
