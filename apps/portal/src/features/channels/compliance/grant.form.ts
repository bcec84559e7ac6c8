import { Id } from '@steward/contract/api/fields';
import { COMPLIANCE_HOURS_MAX } from '@steward/contract/api/limits';
import { grantComplianceAccess } from '@steward/contract/channels/compliance';
import { collectErrors, type FieldErrors, toFieldErrors } from '#platform/api/field-errors.ts';

export interface GrantValues {
  kind: 'private' | 'direct';
  /** An empty string means that no channel is chosen. */
  channelId: string;
  directId: string;
  user_id: string;
  hours: string;
  reason: string;
}

type Field = keyof GrantValues;

const LABELS = { user_id: 'The user', hours: 'The number of hours', reason: 'The reason' };

export const HOURS = Array.from({ length: COMPLIANCE_HOURS_MAX }, (_, at) => ({
  value: String(at + 1),
  label: at === 0 ? '1 hour' : `${at + 1} hours`,
}));

/** Direct channels are entered by id. */
export function getChannelId({ kind, channelId, directId }: GrantValues): string {
  return kind === 'private' ? channelId : directId.trim();
}

/** Line breaks in the reason are replaced, because a reason is one line. */
export function toGrantBody({ user_id, hours, reason }: GrantValues) {
  return { user_id, hours: Number(hours), reason: reason.replace(/\s+/g, ' ').trim() };
}

export function validateGrant(values: GrantValues): FieldErrors<Field> {
  const issues = grantComplianceAccess.body?.safeParse(toGrantBody(values)).error?.issues ?? [];
  const errors: FieldErrors<Field> = collectErrors(issues, LABELS);
  if (values.kind === 'private' && values.channelId === '') errors.channelId = 'Choose a channel.';
  if (values.kind === 'direct' && !Id.safeParse(getChannelId(values)).success)
    errors.directId = 'The ID of a channel has 26 letters and digits.';
  if (values.user_id === '') errors.user_id = 'Choose a user.';
  return errors;
}

export function toGrantErrors(
  { id, message }: { id: string; message: string },
  { kind }: GrantValues,
): FieldErrors<Field> {
  const field = kind === 'private' ? 'channelId' : 'directId';
  if (id === 'record.not_found') return { [field]: 'This team has no such channel.' };
  if (id === 'channels.compliance_not_needed') return { [field]: message };
  return toFieldErrors(message, LABELS);
}
