import { z } from 'zod';
import { EMAIL_MAX, PAGE_ROWS_MAX, SEARCH_MAX } from './limits.ts';

/**
 * Text that PostgreSQL can store and a person can read: no NUL, no half of a surrogate pair. Nothing looks at a text that is too
 * long: normalizing many combining marks takes time with the square of their number.
 */
export function text(maxLength: number) {
  return z
    .string()
    .max(maxLength, { error: `must have at most ${maxLength} characters`, abort: true })
    .refine((value) => !value.includes('\0') && value.isWellFormed(), 'contains a character that cannot be stored');
}

/** Marks, spaces and invisible characters alone aren't a name. */
export function isVisible(name: string): boolean {
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(name);
}

/** A whole number in a query, from `least` to `most`, without sign, point or exponent. */
export function wholeNumber(least: number, most: number) {
  return z
    .string()
    .regex(/^[0-9]{1,16}$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= least && value <= most, `must be a whole number from ${least} to ${most}`);
}

/** An instant in a query: milliseconds since 1970, up to the end of the year 9999. */
export const Moment = wholeNumber(0, 253_402_300_799_999);

/** Identifier of a user, team, session and so on. */
export const Id = z.string().regex(/^[a-z0-9]{26}$/, 'is not an id');

export function isId(text: string): boolean {
  return Id.safeParse(text).success;
}

/**
 * Email address as typed, trimmed and lowercased. Only ASCII is accepted: look-alike letters would let
 * one address pass for another.
 */
export const Email = z
  .string()
  .max(EMAIL_MAX * 2, 'is too long')
  // toLowerCase() would turn the Kelvin sign into a plain k before the pattern could refuse it.
  .transform((value) => value.trim().replace(/[A-Z]/g, (char) => char.toLowerCase()))
  .pipe(
    z
      .string()
      .max(EMAIL_MAX, 'is too long')
      .regex(
        /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}$/,
        'is not an email address',
      ),
  );

/** Opaque cursor; `null` in the last page. */
export const LastKey = z.string().max(2_000);

/** A query flag: `1` is on, absent or `0` is off. */
export const Flag = z.enum(['0', '1']).optional();

/**
 * Decides about a record that is there already. `keep` changes nothing, `update` changes the record. The call says what
 * happens without it.
 */
export const IfExists = z.enum(['keep', 'update']);
export type IfExists = z.infer<typeof IfExists>;

export const listQuery = {
  search: text(SEARCH_MAX).optional(),
  last_key: LastKey.optional(),
  /** Rows in a page, 1 to 2,000; 100 when absent. */
  limit: z
    .string()
    .regex(/^[1-9][0-9]{0,3}$/, 'must be a whole number from 1 to 2000')
    .transform(Number)
    .refine((value) => value <= PAGE_ROWS_MAX, 'must be a whole number from 1 to 2000')
    .optional(),
};

/** Answer of every list endpoint; with `reset`, the records replace those that the caller has. */
export function listAnswer<Item extends z.ZodType>(item: Item) {
  return z.object({ records: z.array(item), last_key: LastKey.nullable(), reset: z.boolean().optional() });
}
