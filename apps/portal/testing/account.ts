import { listOwnSessions } from '@steward/contract/account';
import { listOwnInvitations } from '@steward/contract/account/memberships';
import { EMAIL_KINDS, type EmailKind, getPreferences } from '@steward/contract/account/preferences';
import { type Factors, getFactors } from '@steward/contract/factors/factors';
import { getMe } from '@steward/contract/session';
import { getOwnExport } from '@steward/contract/users/privacy';
import type { Session } from '@steward/contract/users/sessions';
import { screen, within } from '@testing-library/react';
import { answer } from './fake-server.ts';
import { OLIVIA } from './open-screen.tsx';
import { toId } from './users.ts';

export const ownSession = (device: string, fields: Partial<Session> = {}): Session => ({
  id: toId(device),
  device,
  address: '192.0.2.7',
  created_at: 1,
  last_seen_at: Date.now(),
  is_current: false,
  ...fields,
});

export const emailsAre = (isOn: boolean) =>
  Object.fromEntries(EMAIL_KINDS.map((kind) => [kind, isOn])) as Record<EmailKind, boolean>;

/** By default, the session is one of a password, without second factors. */
export function answerFactors(fields: Partial<Factors> = {}): void {
  answer(getFactors, {
    totp: false,
    passkeys: [],
    recovery_codes_left: 0,
    passkeys_supported: true,
    reauth_url: null,
    reauth_provider: null,
    covers_account: true,
    ...fields,
  });
}

/** Answers all calls of My account for Olivia, who has one session and no invitations. */
export function answerAccount(): void {
  answerFactors();
  answer(getMe, OLIVIA);
  answer(listOwnInvitations, { records: [] });
  answer(listOwnSessions, { records: [ownSession('Firefox on Linux', { is_current: true })] });
  answer(getPreferences, { emails: emailsAre(true), locked: [] });
  answer(getOwnExport, { export: null });
}

export const findSection = async (name: string) => within(await screen.findByRole('region', { name }));
