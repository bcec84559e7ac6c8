import { z } from 'zod';
import { endpoint } from '../api/endpoint.ts';
import { SMALL_BODY_MAX } from '../api/limits.ts';

/** Emails to owners and admins that each of them can switch off. */
export const EMAIL_KINDS = [
  'retention',
  'run_failed',
  'new_admin',
  'new_token',
  'helpdesk',
  'leaving',
  'inactivity',
  'monthly',
] as const;
export type EmailKind = (typeof EMAIL_KINDS)[number];

/** Those of them that nobody gets before switching them on. */
export const OFF_AT_FIRST: readonly EmailKind[] = ['leaving', 'monthly'];

/** Emails about the security of an account or a team, which are always sent. */
export const LOCKED_EMAILS = ['new_device', 'new_owner', 'password', 'email', 'second_factor'] as const;

const Emails = z.object(
  Object.fromEntries(EMAIL_KINDS.map((kind) => [kind, z.boolean()])) as Record<EmailKind, z.ZodBoolean>,
);

export const Preferences = z.object({ emails: Emails, locked: z.array(z.enum(LOCKED_EMAILS)) });
export type Preferences = z.infer<typeof Preferences>;

/** All emails but `leaving` and `monthly` are on at first. They apply to all teams of the user. */
export const getPreferences = endpoint({
  name: 'getPreferences',
  method: 'GET',
  path: '/users/me/preferences',
  summary: 'Get which emails you receive.',
  answer: Preferences,
});

/** Switches emails on or off; those that are absent stay as they are. */
export const savePreferences = endpoint({
  name: 'savePreferences',
  bodyLimit: SMALL_BODY_MAX,
  method: 'PUT',
  path: '/users/me/preferences',
  summary: 'Choose which emails you receive.',
  body: z.object({ emails: Emails.partial() }),
  answer: Preferences,
});
