import { exportUser } from '@steward/contract/users/privacy';
import { collectErrors, type FieldErrors, toFieldErrors } from '#platform/api/field-errors.ts';

const LABELS = { reason: 'The reason' };

/** The body of an export; a reason is one line. */
export function toExportBody({ reason }: { reason: string }) {
  return { reason: reason.replace(/\s+/g, ' ').trim() };
}

/** Validation errors of a reason. */
export function validateExport(values: { reason: string }): FieldErrors<'reason'> {
  return collectErrors(exportUser.body?.safeParse(toExportBody(values)).error?.issues ?? [], LABELS);
}

/** What a refusal has against the reason. */
export function toExportErrors(message: string): FieldErrors<'reason'> {
  return toFieldErrors(message, LABELS);
}

/** Whether the typed address is the one of the user; the server compares it again. */
export function validateConfirmation(
  { confirm }: { confirm: string },
  { email }: { email: string },
): FieldErrors<'confirm'> {
  const isTheirs = confirm.trim().toLowerCase() === email.toLowerCase();
  return isTheirs ? {} : { confirm: `Type ${email} to confirm.` };
}
