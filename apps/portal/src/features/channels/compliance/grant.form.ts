import { Id } from '@steward/contract/api/fields';
import { COMPLIANCE_HOURS_MAX } from '@steward/contract/api/limits';
import { grantComplianceAccess } from '@steward/contract/channels/compliance';
import { collectErrors, type FieldErrors, toFieldErrors } from '#platform/api/field-errors.ts';

/** What is entered to grant access. */
export interface GrantValues {
  kind: 'private' | 'direct';
  /** The chosen private channel; '' for none. */
  channelId: string;
  /** The id of a direct channel as typed. */
  directId: string;
  user_id: string;
  hours: string;
  reason: string;
}

type Field = keyof GrantValues;

const LABELS = { user_id: 'The user', hours: 'The number of hours', reason: 'The reason' };

/** The hours that can be chosen. */
export const HOURS = Array.from({ length: COMPLIANCE_HOURS_MAX }, (_, at) => ({
  value: String(at + 1),
  label: at === 0 ? '1 hour' : `${at + 1} hours`,
}));

/** The channel that was chosen, or whose id was typed. */
export function getChannelId({ kind, channelId, directId }: GrantValues): string {
  return kind === 'private' ? channelId : directId.trim();
}

/** The body of the call; a reason is one line. */
export function toGrantBody({ user_id, hours, reason }: GrantValues) {
  return { user_id, hours: Number(hours), reason: reason.replace(/\s+/g, ' ').trim() };
}

/** Validation errors of what was entered. */
export function validateGrant(values: GrantValues): FieldErrors<Field> {
  const issues = grantComplianceAccess.body?.safeParse(toGrantBody(values)).error?.issues ?? [];
  const errors: FieldErrors<Field> = collectErrors(issues, LABELS);
  if (values.kind === 'private' && values.channelId === '') errors.channelId = 'Choose a channel.';
  if (values.kind === 'direct' && !Id.safeParse(getChannelId(values)).success)
    errors.directId = 'The ID of a channel has 26 letters and digits.';
  if (values.user_id === '') errors.user_id = 'Choose a user.';
  return errors;
}

/** What a refusal has against the fields. */
export function toGrantErrors(
  { id, message }: { id: string; message: string },
  { kind }: GrantValues,
): FieldErrors<Field> {
  const field = kind === 'private' ? 'channelId' : 'directId';
  if (id === 'record.not_found') return { [field]: 'This team has no such channel.' };
  if (id === 'channels.compliance_not_needed') return { [field]: message };
  return toFieldErrors(message, LABELS);
}
