import type { RetentionKind, RetentionRule } from '@steward/contract/retention/fields';
import type { Env } from '#platform/env.ts';
import type { Mail } from '#platform/mail/mailbox.ts';
import type { ReachCount } from '#workspace/content/expiry.ts';
import { letter } from '#workspace/mail/email-template.ts';
import { describeRule, formatDay, formatInstant, NOUNS } from './describe-rule.ts';
import { isSameRule, type Policy } from './rule-schedule.rules.ts';

/** A rule that somebody saved, and what it did to the policy. */
export interface ChangedRule {
  kind: RetentionKind;
  before: Policy;
  after: Policy;
}

const OVERVIEW = '/dashboard/team_settings/retention';

/** Tells an owner that rules were changed, and from when on they rule (design §6). */
export function rulesChangedMail(
  env: Env,
  told: { to: string; team: string; by: string; changes: readonly ChangedRule[]; timeZone: string },
): Mail {
  return letter(env, {
    to: told.to,
    subject: `Retention rules of ${told.team} were changed`,
    paragraphs: [
      `${told.by} changed what the team “${told.team}” keeps.`,
      ...told.changes.map((change) => describeChange(change, told.timeZone)),
    ],
    action: { label: 'See the retention rules', url: `${env.publicUrl}${OVERVIEW}` },
    closing: 'You get this mail because you own the team. What a rule has deleted cannot be brought back.',
  });
}

function describeChange({ kind, before, after }: ChangedRule, zone: string): string {
  const ruling = describeRule(kind, after.ruling);
  if (after.waiting) {
    const begin = formatInstant(after.waiting.effectiveAt, zone);
    const next = describeRule(kind, after.waiting.rule);
    return `${NOUNS[kind]}: ${next} This begins on ${begin}. Until then: ${ruling} To cancel it, save the rule of before again.`;
  }
  if (before.waiting && isSameRule(before.ruling, after.ruling))
    return `${NOUNS[kind]}: the change that was waiting was cancelled. As before: ${ruling}`;
  return `${NOUNS[kind]}: ${ruling} Before: ${describeRule(kind, before.ruling)}`;
}

/** Tells an owner that the first run under a rule is near, and what it would delete (design §6). */
export function firstRunMail(
  env: Env,
  told: {
    to: string;
    team: string;
    kind: RetentionKind;
    rule: RetentionRule;
    effectiveAt: number;
    firstRunAt: number;
    reached: ReachCount;
    timeZone: string;
  },
): Mail {
  const { kind, reached, timeZone } = told;
  const oldest = reached.oldest === null ? '' : ` The oldest is of ${formatDay(reached.oldest, timeZone)}.`;
  const count = new Intl.NumberFormat('en').format(reached.count);
  return letter(env, {
    to: told.to,
    subject: `Retention in ${told.team}: the first run is near`,
    paragraphs: [
      `From ${formatInstant(told.effectiveAt, timeZone)} on, a new rule holds in the team “${told.team}”. ${describeRule(kind, told.rule)}`,
      `The first nightly run under it is on ${formatInstant(told.firstRunAt, timeZone)}.`,
      `If it ran now, it would delete ${count} of: ${NOUNS[kind].toLowerCase()}.${oldest} This cannot be undone. To stop it, save another rule before.`,
    ],
    action: { label: 'See the retention rules', url: `${env.publicUrl}${OVERVIEW}` },
    closing: 'You get this mail because you own the team.',
  });
}
