import type { IntegrationsSummary, PeopleSummary, RetentionSummary, SignInSummary } from '@steward/contract/home';
import type { Env } from '#platform/env.ts';
import { defuseLinks, renderEmail } from '#platform/mail/email-template.ts';
import type { Mail } from '#platform/mail/mailbox.ts';
import { portalLink } from '#platform/mail/portal-link.ts';
import type { StoredCounts } from './storage.store.ts';

export interface MonthlyFigures {
  people: PeopleSummary;
  signIn: SignInSummary;
  storage: StoredCounts;
  retention: RetentionSummary;
  integrations: IntegrationsSummary;
}

interface MonthlyMail {
  to: string;
  teamId: string;
  team: string;
  figures: MonthlyFigures;
}

/** The numbers of Home for an owner who asked for them. */
export function monthlyMail(env: Env, { to, teamId, team, figures }: MonthlyMail): Mail {
  return renderEmail(env, {
    to,
    subject: `${team}: the month in numbers`,
    paragraphs: [
      `This is how the team “${defuseLinks(team)}” is today.`,
      describePeople(figures.people),
      describeSignIn(figures.signIn),
      describeStorage(figures.storage),
      describeRetention(figures.retention),
      ...(figures.integrations.connected > 0 ? [describeIntegrations(figures.integrations)] : []),
    ],
    action: { label: 'Open Home', url: portalLink(env, { path: '/', teamId }) },
    closing: "You're receiving this email because you switched it on under My account.",
  });
}

const number = (value: number) => value.toLocaleString('en-US');
const count = (value: number, one: string, many: string) => `${number(value)} ${value === 1 ? one : many}`;
const UNITS = { MB: 1_000_000, GB: 1_000_000_000 };

function size(bytes: number): string {
  const unit = bytes < UNITS.GB ? 'MB' : 'GB';
  return `${(bytes / UNITS[unit]).toLocaleString('en-US', { maximumFractionDigits: 1 })} ${unit}`;
}

function describePeople({ members, active_30_days, never_active, ...people }: PeopleSummary): string {
  return `People: ${count(members, 'member', 'members')}. Active in the last 30 days: ${number(active_30_days)}; never active: ${number(never_active)}. Leaving in the next 14 days: ${number(people.leaving_14_days)}. Invitations older than 14 days: ${number(people.invited_over_14_days)}.`;
}

function describeSignIn({ members, with_second_factor, admins, admins_without_second_factor: without }: SignInSummary) {
  return `Sign-in: Members with a second factor: ${number(with_second_factor)} of ${number(members)}. Admins without one: ${number(without)} of ${number(admins)}.`;
}

function describeStorage({ total, added_30_days: added }: StoredCounts): string {
  return `Storage: ${count(total.count, 'item', 'items')} with ${size(total.bytes)}, of which ${size(added.bytes)} was added in the last 30 days.`;
}

function describeRetention({ rules, last_night: night, holds }: RetentionSummary): string {
  const result = !night
    ? 'no night has run yet'
    : night.failed
      ? 'the last night failed'
      : `the last night deleted ${count(night.deleted, 'item', 'items')}`;
  return `Retention: ${count(rules, 'rule deletes', 'rules delete')}; ${result}. ${count(holds, 'legal hold is', 'legal holds are')} active.`;
}

function describeIntegrations({ posted_7_days: posted, failed_7_days: failed }: IntegrationsSummary): string {
  return `Integrations: ${count(posted, 'message was', 'messages were')} posted in the last 7 days, ${number(failed)} could not be posted everywhere.`;
}
