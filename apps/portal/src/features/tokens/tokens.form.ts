import { addToken } from '@steward/contract/tokens';
import { errorsOf, type FieldErrors, refusedFields } from '#platform/api/field-errors.ts';

const LABELS = { name: 'The name' };

/** What the contract has against a token to be made. */
export function validateToken(values: { name: string }): FieldErrors<'name'> {
  return errorsOf(addToken.body?.safeParse(values).error?.issues ?? [], LABELS);
}

/** What a refusal has against its name. */
export function refusedToken(message: string): FieldErrors<'name'> {
  return refusedFields(message, LABELS);
}
