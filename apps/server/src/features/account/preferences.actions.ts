import type * as endpoints from '@steward/contract/account/preferences';
import { EMAIL_KINDS, type EmailKind, LOCKED_EMAILS } from '@steward/contract/account/preferences';
import type { Answer, Received } from '@steward/contract/api/endpoint';
import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { SignedIn } from '#workspace/access/enter-team.ts';
import type { Changed } from '#workspace/changes/change.ts';
import { findMutedEmails, lockMutedEmails, saveMutedEmails } from '#workspace/users/users.store.ts';

export async function getPreferences(deps: Deps, who: SignedIn): Promise<Answer<typeof endpoints.getPreferences>> {
  return toPreferences(await findMutedEmails(deps.db, who.userId));
}

/** Saving the stored preferences writes no audit row. */
export async function savePreferences(
  trx: Trx,
  { who: { userId }, emails }: { who: SignedIn } & Received<typeof endpoints.savePreferences>['body'],
): Promise<Changed<typeof endpoints.savePreferences>> {
  const before = await lockMutedEmails(trx, userId);
  const after = EMAIL_KINDS.filter((kind) => !(emails[kind] ?? !before.includes(kind)));
  const answer = toPreferences(after);
  if (after.join() === before.join()) return { answer, audit: null };
  await saveMutedEmails(trx, userId, after);
  return {
    answer,
    audit: { action: 'session.preferences_saved', teamId: '', actorId: userId, target: userId },
  };
}

function toPreferences(muted: readonly string[]): Answer<typeof endpoints.getPreferences> {
  const emails = Object.fromEntries(EMAIL_KINDS.map((kind) => [kind, !muted.includes(kind)]));
  return { emails: emails as Record<EmailKind, boolean>, locked: [...LOCKED_EMAILS] };
}
