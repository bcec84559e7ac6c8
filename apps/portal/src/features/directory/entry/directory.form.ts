import { type Entry, EntryForm } from '@steward/contract/directory';
import { collectErrors, type FieldErrors, type Labels, toFieldErrors } from '#platform/api/field-errors.ts';

/** Values of the form; '' is empty. */
export type EntryValues = Record<keyof EntryForm, string>;

const LABELS: Labels<keyof EntryValues> = {
  name: 'The name',
  phone_number: 'The phone number',
  sms: 'The SMS number',
  email: 'The email address',
};

/** Initial values: those of the entry to edit, or empty ones. */
export function getFormValues(entry: Entry | null): EntryValues {
  if (entry === null) return { name: '', phone_number: '', sms: '', email: '' };
  const { name, phone_number, sms, email } = entry;
  return { name, phone_number, sms, email };
}

/** Validation errors of the contract, by field. */
export function validateEntry(values: EntryValues): FieldErrors<keyof EntryValues> {
  return rewordErrors(collectErrors(EntryForm.safeParse(values).error?.issues ?? [], LABELS));
}

/** Errors of the server for a list of one entry, by field. */
export function toEntryErrors(message: string): FieldErrors<keyof EntryValues> {
  return rewordErrors(toFieldErrors(message, LABELS));
}

function rewordErrors(errors: FieldErrors<keyof EntryValues>): FieldErrors<keyof EntryValues> {
  return errors.name === 'The name is required.' ? { ...errors, name: 'Name is required.' } : errors;
}
