import { RETENTION_WAIT_MS } from '@steward/contract/api/limits';
import type { RetentionKind, RetentionRule } from '@steward/contract/retention/fields';
import { addTeamNight, saveRule } from '#features/retention/rules/rules.store.ts';
import type { Trx } from '#platform/database/database.ts';
import { toNight } from '#workspace/retention/cutoff.rules.ts';

const KEEP: RetentionRule = { value: 0 };
const after = (count: number, period: 'd' | 'm' | 'y'): RetentionRule => ({ value: 1, duration: { count, period } });

/** Rules that hold already, so that there is something overdue to see. */
const IN_FORCE: [RetentionKind, RetentionRule][] = [
  ['files', { value: 0, canmark: 1, duration: { count: 30, period: 'd' } }],
  ['call_recordings', after(1, 'y')],
  ['voicemails', after(90, 'd')],
];

/** Gives a demo team rules: some hold, and one waits for its day to pass. */
export async function addDemoRules(
  trx: Trx,
  { teamId, ownerId, timeZone }: { teamId: string; ownerId: string; timeZone: string },
): Promise<void> {
  const now = Date.now();
  const by = { teamId, savedBy: ownerId };
  for (const [kind, rule] of IN_FORCE) await saveRule(trx, { ...by, kind }, { current: rule, scheduled: null });
  const scheduled = { rule: after(2, 'y'), effectiveAt: now + RETENTION_WAIT_MS };
  await saveRule(trx, { ...by, kind: 'archived_notes' }, { current: KEEP, scheduled });
  await addTeamNight(trx, teamId, toNight(now, timeZone));
}
