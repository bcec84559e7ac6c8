import { z } from 'zod';
import { isVisible, text } from '../api/fields.ts';
import { EMAIL_MAX, ENTRY_NAME_MAX, ENTRY_NUMBER_MAX } from '../api/limits.ts';

/** Required, trimmed, in Unicode's composed form. */
export const EntryName = text(ENTRY_NAME_MAX).normalize('NFC').trim().refine(isVisible, 'is required');

/** A phone or SMS number is free text, such as one with an extension. */
export const EntryNumber = text(ENTRY_NUMBER_MAX).normalize('NFC').trim();

const LOCAL = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Endings of addresses that a server accepts in the directory: 2 to 4 letters, or any that exists. */
export const EMAIL_ENDINGS = ['short', 'any'] as const;
export type EmailEndings = (typeof EMAIL_ENDINGS)[number];

const ENDINGS: Record<EmailEndings, { pattern: RegExp; fault: string }> = {
  short: { pattern: /^[a-z]{2,4}$/, fault: 'must end in a dot and 2 to 4 letters, such as .com' },
  any: {
    pattern: /^(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/,
    fault: 'must end in a dot and at least 2 letters, such as .com',
  },
};

/**
 * The problem of a trimmed and lowercased address, as a phrase that follows "Email"; undefined if it is valid. Without
 * `endings`, its ending isn't checked.
 */
export function emailFault(email: string, endings?: EmailEndings): string | undefined {
  if (email.length > EMAIL_MAX) return `must have at most ${EMAIL_MAX} characters`;
  if (/\s/.test(email)) return 'must not have spaces in it';
  const [local = '', domain = '', ...more] = email.split('@');
  if (!email.includes('@')) return 'has no @';
  if (more.length > 0) return 'has more than one @';
  if (local === '') return 'has nothing before the @';
  if (domain === '') return 'has nothing after the @';
  if (local.length > 64) return 'has more than 64 characters before the @';
  if (!LOCAL.test(local)) return 'has a character before the @ that an address cannot have there';
  const labels = domain.split('.');
  const ending = labels.pop() ?? '';
  const rule = endings && ENDINGS[endings];
  if (rule && (labels.length === 0 || !rule.pattern.test(ending))) return rule.fault;
  if (!labels.every((label) => LABEL.test(label))) return 'has a domain that cannot exist';
  return undefined;
}

/** Address of a directory entry, trimmed and lowercased; '' for none. */
export function entryEmail(endings?: EmailEndings) {
  return (
    z
      .string()
      .max(EMAIL_MAX * 2, `must have at most ${EMAIL_MAX} characters`)
      // toLowerCase() would turn the Kelvin sign into a plain k before the pattern could refuse it.
      .overwrite((value) => value.trim().replace(/[A-Z]/g, (char) => char.toLowerCase()))
      .refine((email) => email === '' || emailFault(email, endings) === undefined, {
        error: ({ input }) => emailFault(String(input), endings) ?? 'is not an email address',
      })
  );
}
