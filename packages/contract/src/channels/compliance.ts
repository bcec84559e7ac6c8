import { z } from 'zod';
import { endpoint } from '../api/endpoint.ts';
import { Done } from '../api/errors.ts';
import { Id, isVisible, text } from '../api/fields.ts';
import { COMPLIANCE_HOURS_MAX, COMPLIANCE_REASON_MAX } from '../api/limits.ts';
import { ChannelType } from './channels.ts';

/** Current access of a user to a private or direct channel that they may read without being a member, for a limited time. */
export const ComplianceAccess = z.object({
  channel_id: Id,
  /** '' for a direct channel. */
  channel_name: z.string(),
  channel_type: ChannelType,
  user_id: Id,
  user_name: z.string(),
  email: z.string(),
  /** The owner who granted it. */
  granted_by: z.string(),
  granted_by_name: z.string(),
  granted_at: z.int(),
  /** Expiry, in milliseconds. */
  until: z.int(),
  reason: z.string(),
});
export type ComplianceAccess = z.infer<typeof ComplianceAccess>;

const ChannelParams = z.object({ teamId: Id, channelId: z.string() });

/** Ordered by expiry. For owners. */
export const listTeamComplianceAccess = endpoint({
  name: 'listTeamComplianceAccess',
  method: 'GET',
  path: '/admin/teams/:teamId/compliance_access',
  summary: 'List who has compliance access to private and direct channels of the team.',
  params: z.object({ teamId: Id }),
  answer: z.object({ records: z.array(ComplianceAccess) }),
});

/** Ordered by expiry. For owners. */
export const listComplianceAccess = endpoint({
  name: 'listComplianceAccess',
  method: 'GET',
  path: '/admin/teams/:teamId/channels/:channelId/compliance_access',
  summary: 'List who has compliance access to a channel.',
  params: ChannelParams,
  answer: z.object({ records: z.array(ComplianceAccess) }),
});

/** Control characters and those that change the direction of text could hide a part of the reason. */
const Reason = text(COMPLIANCE_REASON_MAX)
  .trim()
  .refine(isVisible, 'is required')
  .refine((reason) => !/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u.test(reason), 'contains a control character');

/**
 * Lets an active member of the team, or the owner, read a private or direct channel for some hours. Granting again replaces
 * the earlier access. Members of the channel see it in the channel and in a message.
 */
export const grantComplianceAccess = endpoint({
  name: 'grantComplianceAccess',
  method: 'POST',
  path: '/admin/teams/:teamId/channels/:channelId/compliance_access',
  summary: 'Let a user read a private or direct channel for up to 24 hours.',
  params: ChannelParams,
  body: z.object({
    user_id: Id,
    hours: z
      .int('must be a whole number')
      .min(1, `must be from 1 to ${COMPLIANCE_HOURS_MAX}`)
      .max(COMPLIANCE_HOURS_MAX, `must be from 1 to ${COMPLIANCE_HOURS_MAX}`),
    reason: Reason,
  }),
  answer: ComplianceAccess,
});

/** The user's next request is refused. */
export const endComplianceAccess = endpoint({
  name: 'endComplianceAccess',
  method: 'DELETE',
  path: '/admin/teams/:teamId/channels/:channelId/compliance_access',
  summary: 'End the compliance access of a user to a channel.',
  params: ChannelParams,
  query: z.object({ user_id: Id }),
  answer: Done,
});
