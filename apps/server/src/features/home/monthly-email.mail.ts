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
const MB = 1_000_000;
const megabytes = (bytes: number) => `${(bytes / MB).toLocaleString('en-US', { maximumFractionDigits: 1 })} MB`;

function describePeople({ members, active_30_days, never_active, leaving_14_days, ...people }: PeopleSummary): string {
  return `People: ${count(members, 'member', 'members')}; ${number(active_30_days)} were active in the last 30 days, ${number(never_active)} never. ${number(leaving_14_days)} leave in the next 14 days, and ${count(people.invited_over_14_days, 'invitation is', 'invitations are')} older than 14 days.`;
}

function describeSignIn({ members, with_second_factor, admins, admins_without_second_factor: without }: SignInSummary) {
  return `Sign-in: ${number(with_second_factor)} of ${count(members, 'member', 'members')} have a second factor. ${number(without)} of ${count(admins, 'admin', 'admins')} have none.`;
}

function describeStorage({ total, added_30_days: added }: StoredCounts): string {
  return `Storage: ${count(total.count, 'item', 'items')} with ${megabytes(total.bytes)}, of which ${megabytes(added.bytes)} were added in the last 30 days.`;
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
