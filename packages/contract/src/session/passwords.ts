import { text } from '../api/fields.ts';
import { PASSWORD_MAX, PASSWORD_MIN, PASSWORD_TYPED_MAX } from '../api/limits.ts';

/**
 * A password in the form that is counted, compared and hashed. Keyboards and systems send the same password differently:
 * an umlaut as one character or as a letter with a mark, full-width letters, another kind of blank.
 */
export function normalizePassword(typed: string): string {
  return typed.normalize('NFKC');
}

const isShort = (typed: string): boolean => Math.min(typed.length, normalizePassword(typed).length) <= PASSWORD_MAX;

/** A password to check, as typed: one that was hashed before passwords were normalized has only this form. */
export const Password = text(PASSWORD_TYPED_MAX)
  .min(1, 'is required')
  .refine(isShort, `must have at most ${PASSWORD_MAX} characters`);

/** Only the length is checked, of the normalized form: there are no composition rules. */
export const NewPassword = text(PASSWORD_TYPED_MAX)
  .overwrite(normalizePassword)
  .min(PASSWORD_MIN, `must have at least ${PASSWORD_MIN} characters`)
  .max(PASSWORD_MAX, `must have at most ${PASSWORD_MAX} characters`);

/** A new password typed again, to be compared with the first. */
export const RepeatedPassword = text(PASSWORD_TYPED_MAX).overwrite(normalizePassword);
