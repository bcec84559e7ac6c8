import type { Answer, Received } from '@steward/contract/api/endpoint';
import type { ConnectedPreview, previewConnectedRules, saveConnectedRules } from '@steward/contract/connections';
import { CONNECTED_KINDS, type ConnectedKind } from '@steward/contract/connections/fields';
import { describeRule } from '@steward/contract/retention/describe-rule';
import type { SavedRule } from '@steward/contract/retention/fields';
import type { Database, Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { defuseLinks } from '#platform/mail/email-template.ts';
import type { TeamAdmin } from '#workspace/access/access.ts';
import { requireRecentSignIn } from '#workspace/access/step-up.ts';
import type { Changed } from '#workspace/changes/change.ts';
import { nextNight } from '#workspace/content/retention/cutoff.rules.ts';
import {
  applyRule,
  isSameState,
  type RuleState,
  toSavedRule,
} from '#workspace/content/retention/rule-schedule.rules.ts';
import { notifyManagers } from '#workspace/notices/notify-managers.ts';
import { findUserName } from '#workspace/users/users.store.ts';
import { lockMapping, type MappingKey, type StoredMapping } from '../mappings.store.ts';
import { isFilled } from '../mirror/reading.store.ts';
import { countOldThreads, type ThreadCount } from '../orders/threads.store.ts';
import {
  type ConnectedRules,
  type DueReminder,
  findConnectedRules,
  markReminded,
  saveConnectedRule,
  selectThreads,
} from './connected-rules.store.ts';

type Body = Received<typeof saveConnectedRules>['body'];
type SavedRules = Answer<typeof saveConnectedRules>;

export async function readRules(db: Database, mapping: StoredMapping): Promise<SavedRules> {
  const { byKind } = await findConnectedRules(db, { serverId: mapping.server_id, teamId: mapping.team_id });
  return toAnswer(mapping, byKind);
}

function toAnswer({ direct_messages }: StoredMapping, byKind: Readonly<Record<ConnectedKind, RuleState>>): SavedRules {
  const saved = (kind: ConnectedKind): SavedRule => toSavedRule(kind, byKind[kind]);
  return {
    public_channels: saved('public_channels'),
    private_channels: saved('private_channels'),
    ...(direct_messages ? { direct_messages: saved('direct_messages') } : {}),
  };
}

/** Saves all rules or none. A stricter rule needs a recent sign-in and takes effect after 24 hours. Owners and admins get an email. */
export async function saveRules(
  trx: Trx,
  deps: Deps,
  { who, key, rules }: { who: TeamAdmin; key: MappingKey; rules: Body },
): Promise<Changed<typeof saveConnectedRules>> {
  const mapping = await lockMapping(trx, key);
  if (!mapping) refuse('record.not_found');
  if (mapping.accepted_at === 0) refuse('connections.not_accepted');
  if (rules.direct_messages && !mapping.direct_messages) refuse('connections.no_direct_messages');
  if (!(await isFilled(trx, key))) refuse('connections.filling');
  const { byKind, now } = await findConnectedRules(trx, key);
  const saved = { ...byKind };
  const changes: Partial<Record<ConnectedKind, { before: AuditState; after: AuditState }>> = {};
  for (const kind of CONNECTED_KINDS) {
    const rule = rules[kind];
    if (rule === undefined) continue;
    const after = applyRule(byKind[kind], rule, now);
    if (isSameState(byKind[kind], after)) continue;
    saved[kind] = after;
    changes[kind] = { before: toAuditState(byKind[kind]), after: toAuditState(after) };
    await saveConnectedRule(trx, { ...key, kind, savedBy: who.userId }, after);
  }
  const answer = toAnswer(mapping, saved);
  if (Object.keys(changes).length === 0) return { answer, audit: null };
  const isStricter = Object.values(changes).some(({ after }) => after.waiting !== null);
  if (isStricter) requireRecentSignIn(who);
  await notifySaved(trx, deps, { actorId: who.userId, mapping, isStricter });
  const { teamId, serverId: target } = key;
  return {
    answer,
    audit: { action: 'connections.rules_saved', teamId, actorId: who.userId, target, details: changes },
  };
}

type AuditState = ReturnType<typeof toAuditState>;

/** These names can't change: audit rows are stored with them. */
function toAuditState({ current, scheduled }: RuleState) {
  return { ruling: current, waiting: scheduled };
}

const toPage = { label: 'View retention', path: '/dashboard/team_settings/connected_retention' } as const;

async function notifySaved(
  trx: Trx,
  deps: Deps,
  { actorId, mapping, isStricter }: { actorId: string; mapping: StoredMapping; isStricter: boolean },
): Promise<void> {
  const [actor, server] = [defuseLinks(await findUserName(trx, actorId)), defuseLinks(mapping.name)];
  const effect = isStricter ? ' At least one rule deletes more than before. It takes effect in 24 hours.' : '';
  await notifyManagers(trx, deps, {
    teamId: mapping.team_id,
    actorId,
    kind: 'retention',
    subject: `retention on ${server} changed`,
    describe: (team) => `${actor} changed the retention rules of ${team} for messages on ${server}.${effect}`,
    action: toPage,
  });
}

/** Emails owners and admins twelve hours before a stricter rule takes effect, once. */
export async function remindOwners(trx: Trx, deps: Deps, due: DueReminder): Promise<void> {
  if (!(await markReminded(trx, due))) return;
  const mapping = await lockMapping(trx, due);
  const rules = await findConnectedRules(trx, due);
  const { scheduled, current } = rules.byKind[due.kind];
  const rule = scheduled?.rule ?? current;
  if (!mapping || !rule) return;
  const server = defuseLinks(mapping.name);
  await notifyManagers(trx, deps, {
    teamId: due.teamId,
    actorId: null,
    kind: 'retention',
    subject: `a rule for ${server} takes effect soon`,
    describe: (team) =>
      `A stricter retention rule of ${team} for messages on ${server} takes effect within 12 hours: ${describeRule(due.kind, rule)} What it deletes there can't be restored.`,
    action: toPage,
  });
}

/** Messages that a server deletes in a second, on one connection and with all checks. */
const ROWS_PER_SECOND = 28;

/** Counts with the selection that orders are opened by. */
export async function previewRules(
  db: Database,
  {
    key,
    rules,
    body,
  }: { key: MappingKey; rules: ConnectedRules; body: Received<typeof previewConnectedRules>['body'] },
): Promise<Answer<typeof previewConnectedRules>> {
  const selection = selectThreads(key, rules, body);
  const counts = Object.keys(selection.cutoffs).length === 0 ? [] : await countOldThreads(db, selection);
  const previews: Answer<typeof previewConnectedRules> = {};
  for (const kind of CONNECTED_KINDS) {
    const rule = body[kind];
    if (rule === undefined) continue;
    const { scheduled } = applyRule(rules.byKind[kind], rule, rules.now);
    const effectiveAt = scheduled?.effectiveAt ?? rules.now;
    previews[kind] = {
      ...sumUp(counts.filter((count) => count.kind === kind)),
      cutoff: selection.cutoffs[kind] ?? null,
      deletes_more: scheduled !== null,
      effective_at: effectiveAt,
      first_run_at: nextNight(effectiveAt, rules.timeZone),
    };
  }
  return previews;
}

type Counted = Omit<ConnectedPreview, 'cutoff' | 'deletes_more' | 'effective_at' | 'first_run_at'>;

function sumUp(counts: readonly ThreadCount[]): Counted {
  const of = (state: ThreadCount['state']) => counts.find((count) => count.state === state);
  const due = of('due');
  return {
    threads: due?.threads ?? 0,
    rows: due?.rows ?? 0,
    files: due?.files ?? 0,
    bytes: due?.bytes ?? 0,
    held: of('held')?.old_rows ?? 0,
    in_threads: of('thread')?.old_rows ?? 0,
    arrived: of('arrived')?.old_rows ?? 0,
    oldest: due?.oldest ?? null,
    newest: due?.newest ?? null,
    seconds: Math.ceil((due?.rows ?? 0) / ROWS_PER_SECOND),
  };
}
