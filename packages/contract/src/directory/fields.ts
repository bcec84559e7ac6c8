import { z } from 'zod';
import { isVisible, text } from '../api/fields.ts';
import { EMAIL_MAX, ENTRY_NAME_MAX, ENTRY_NUMBER_MAX } from '../api/limits.ts';

/** Required, trimmed, in Unicode's composed form. */
export const EntryName = text(ENTRY_NAME_MAX).normalize('NFC').trim().refine(isVisible, 'is required');

/** A phone or SMS number is free text, such as one with an extension. */
export const EntryNumber = text(ENTRY_NUMBER_MAX).normalize('NFC').trim();

const LOCAL = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** The problem of a trimmed and lowercased address, as a phrase that follows "Email"; undefined if it is valid. */
export function emailFault(email: string): string | undefined {
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
  if (labels.length === 0 || !/^[a-z]{2,4}$/.test(ending)) return 'must end in a dot and 2 to 4 letters, such as .com';
  if (!labels.every((label) => LABEL.test(label))) return 'has a domain that cannot exist';
  return undefined;
}

/**
 * Address of a directory entry, trimmed and lowercased; '' for none. Its top-level domain has 2 to 4 letters, unlike in
 * addresses that sign in.
 */
export const EntryEmail = z
  .string()
  .max(EMAIL_MAX * 2, `must have at most ${EMAIL_MAX} characters`)
  // toLowerCase() would turn the Kelvin sign into a plain k before the pattern could refuse it.
  .overwrite((value) => value.trim().replace(/[A-Z]/g, (char) => char.toLowerCase()))
  .refine((email) => email === '' || emailFault(email) === undefined, {
    error: ({ input }) => emailFault(String(input)) ?? 'is not an email address',
  });
