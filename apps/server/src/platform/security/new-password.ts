import { randomInt } from 'node:crypto';

/** Without characters that are easily confused. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';

/** A password for reading from a screen and typing: four groups of five characters, 99 random bits. */
export function newPassword(): string {
  const randomLetter = () => LETTERS[randomInt(LETTERS.length)];
  return Array.from({ length: 4 }, () => Array.from({ length: 5 }, randomLetter).join('')).join('-');
}
