import { addToken } from '@steward/contract/tokens';
import { collectErrors, type FieldErrors, toFieldErrors } from '#platform/api/field-errors.ts';

const LABELS = { name: 'The name' };

/** Validation errors of a new token. */
export function validateToken(values: { name: string }): FieldErrors<'name'> {
  return collectErrors(addToken.body?.safeParse(values).error?.issues ?? [], LABELS);
}

/** What a refusal has against its name. */
export function toTokenErrors(message: string): FieldErrors<'name'> {
  return toFieldErrors(message, LABELS);
}
