import { exportUser } from '@steward/contract/users/privacy';
import { collectErrors, type FieldErrors, toFieldErrors } from '#platform/api/field-errors.ts';

const LABELS = { reason: 'The reason' };

/** Line breaks in the reason are replaced, because a reason is one line. */
export function toExportBody({ reason }: { reason: string }) {
  return { reason: reason.replace(/\s+/g, ' ').trim() };
}

export function validateExport(values: { reason: string }): FieldErrors<'reason'> {
  return collectErrors(exportUser.body?.safeParse(toExportBody(values)).error?.issues ?? [], LABELS);
}

export function toExportErrors(message: string): FieldErrors<'reason'> {
  return toFieldErrors(message, LABELS);
}

/** The server compares the address again. */
export function validateConfirmation(
  { confirm }: { confirm: string },
  { email }: { email: string },
): FieldErrors<'confirm'> {
  const isTheirs = confirm.trim().toLowerCase() === email.toLowerCase();
  return isTheirs ? {} : { confirm: `Type ${email} to confirm.` };
}
