import { describeRule, formatCount, formatDay, KIND_TEXT } from '@steward/contract/retention/describe-rule';
import type { RetentionKind, RetentionRule } from '@steward/contract/retention/fields';
import { isSameRule } from '@steward/contract/retention/rules';
import type { Env } from '#platform/env.ts';
import { defuseLinks, type EmailText, formatTime, renderEmail, renderText } from '#platform/mail/email-template.ts';
import type { Mail } from '#platform/mail/mailbox.ts';
import { portalLink } from '#platform/mail/portal-link.ts';
import type { ExpiredCount } from '#workspace/content/expiry.ts';
import type { RuleState } from '#workspace/content/retention/rule-schedule.rules.ts';

/** A saved rule with the state before and after. */
export interface RuleChange {
  kind: RetentionKind;
  before: RuleState;
  after: RuleState;
}

const CLOSING = "You're receiving this email because you're a team owner.";

const CHANGED_CLOSING =
  "You're receiving this email because you're an owner or admin of this team. You can turn these emails off under My account.";

function getAction(env: Env, teamId: string) {
  const url = portalLink(env, { path: '/dashboard/team_settings/retention', teamId });
  return { label: 'View retention rules', url };
}

export function rulesChangedMail(
  env: Env,
  {
    teamId,
    team,
    by,
    changes,
    timeZone,
    recoverableDays,
  }: MailContext & { by: string; changes: readonly RuleChange[] },
): EmailText {
  return renderText(env, {
    subject: `${team}: retention rules changed`,
    paragraphs: [
      `${defuseLinks(by)} changed the retention rules of “${defuseLinks(team)}”.`,
      ...changes.map((change) => describeChange(change, timeZone)),
      describeRecovery(recoverableDays),
    ],
    action: getAction(env, teamId),
    closing: CHANGED_CLOSING,
  });
}

interface MailContext {
  teamId: string;
  team: string;
  timeZone: string;
  /** Number of days for which deleted items can be restored. */
  recoverableDays: number;
}

function describeRecovery(days: number): string {
  if (days === 0) return "Deleted content can't be recovered.";
  return `An owner can restore deleted content for ${days === 1 ? '1 day' : `${days} days`}; after that, it can't be recovered.`;
}

function describeChange({ kind, before, after }: RuleChange, timeZone: string): string {
  const current = describeRule(kind, after.current);
  if (after.scheduled) {
    const begin = formatTime(after.scheduled.effectiveAt, timeZone);
    const next = describeRule(kind, after.scheduled.rule);
    return `${next} This takes effect on ${begin}. Until then: ${current} To cancel, open the retention page and choose Cancel this change.`;
  }
  if (before.scheduled && isSameRule(before.current, after.current))
    return `A scheduled change was canceled. ${current}`;
  return `${current} Before: ${describeRule(kind, before.current)}`;
}

export interface UpcomingRule {
  kind: RetentionKind;
  rule: RetentionRule;
  effectiveAt: number;
  firstRunAt: number;
  expired: ExpiredCount;
}

/** Tells an owner what the first run under a rule will delete, and when. */
export function firstRunMail(
  env: Env,
  { to, teamId, team, timeZone, recoverableDays, ...upcoming }: MailContext & UpcomingRule & { to: string },
): Mail {
  const { kind, rule, effectiveAt, firstRunAt, expired } = upcoming;
  const oldest = expired.oldest === null ? '' : ` The oldest is from ${formatDay(expired.oldest, timeZone)}.`;
  const count = formatCount(expired.count, KIND_TEXT[kind]);
  return renderEmail(env, {
    to,
    subject: `${team}: content will be deleted on ${formatDay(firstRunAt, timeZone)}`,
    paragraphs: [
      `A new retention rule takes effect in “${defuseLinks(team)}” on ${formatTime(effectiveAt, timeZone)}. ${describeRule(kind, rule)}`,
      `Its first run is on ${formatTime(firstRunAt, timeZone)}. It would delete ${count} today.${oldest} ${describeRecovery(recoverableDays)} To stop it, change or cancel the rule before then.`,
    ],
    action: getAction(env, teamId),
    closing: CLOSING,
  });
}
