import { createEntryForm, type Entry, type EntryForm } from '@steward/contract/directory';
import type { EmailEndings } from '@steward/contract/directory/fields';
import { collectErrors, type FieldErrors, type Labels, toFieldErrors } from '#platform/api/field-errors.ts';

/** An empty string is an empty field. */
export type EntryValues = Record<keyof EntryForm, string>;

const LABELS: Labels<keyof EntryValues> = {
  name: 'The name',
  phone_number: 'The phone number',
  sms: 'The SMS number',
  email: 'The email address',
};

export function getFormValues(entry: Entry | null): EntryValues {
  if (entry === null) return { name: '', phone_number: '', sms: '', email: '' };
  const { name, phone_number, sms, email } = entry;
  return { name, phone_number, sms, email };
}

export function validateEntry(values: EntryValues, endings: EmailEndings): FieldErrors<keyof EntryValues> {
  return rewordErrors(collectErrors(createEntryForm(endings).safeParse(values).error?.issues ?? [], LABELS));
}

/** The server's message refers to a list with one entry. */
export function toEntryErrors(message: string): FieldErrors<keyof EntryValues> {
  return rewordErrors(toFieldErrors(message, LABELS));
}

function rewordErrors(errors: FieldErrors<keyof EntryValues>): FieldErrors<keyof EntryValues> {
  return errors.name === 'The name is required.' ? { ...errors, name: 'Name is required.' } : errors;
}
