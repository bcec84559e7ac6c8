// An admin sets how long content is kept, previews what a rule would delete, runs it, and reads the history.
// Owns retention_policies and retention_nights (rules/), and retention_runs (runs/); deletes messages, files and records.
// Folders: runs imports rules, and never the reverse.

import type { Answer, AnyEndpoint, Received } from '@steward/contract/api/endpoint';
import {
  getFileRetention,
  getMeetingRetention,
  getMessageRetention,
  getNoteRetention,
  getRetention,
  getRetentionStored,
  getTaskRetention,
  getVoiceRetention,
  listRetentionRuns,
  previewRetention,
  runRetention,
  type StoredRetention,
  saveFileRetention,
  saveMeetingRetention,
  saveMessageRetention,
  saveNoteRetention,
  saveTaskRetention,
  saveVoiceRetention,
} from '@steward/contract/retention';
import { RETENTION_KINDS, type RetentionKind, type SavedRule } from '@steward/contract/retention/fields';
import * as endpoints from '@steward/contract/retention/recovery';
import type { FastifyInstance } from 'fastify';
import type { Database } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { serve } from '#platform/http/http.ts';
import { getPage, readCursor, rowsToFetch } from '#platform/http/paging.ts';
import { createCache, keepIfSlow } from '#platform/jobs/cache.ts';
import type { Access } from '#workspace/access/access.ts';
import { recently } from '#workspace/access/step-up.ts';
import type { AuditEvent } from '#workspace/audit/audit.store.ts';
import { serveChange } from '#workspace/changes/change.ts';
import { nextNight } from '#workspace/content/retention/cutoff.rules.ts';
import { findRecovery } from '#workspace/content/retention/recovery-setting.store.ts';
import { getCurrentScope } from '#workspace/content/retention/retention-scope.rules.ts';
import { toSavedRule } from '#workspace/content/retention/rule-schedule.rules.ts';
import { foresightRoutes } from './foresight/foresight.routes.ts';
import { holdRoutes } from './holds/holds.routes.ts';
import { changeRecovery, toAnswer } from './recovery/recovery-setting.actions.ts';
import { restoreJob } from './recovery/restore.job.ts';
import { lockRecoverableRun } from './recovery/restores.store.ts';
import { countKind, previewRules } from './rules/preview-rules.actions.ts';
import { getTeamRules, type RulesByKind, saveRules, toSavedRules } from './rules/save-rules.actions.ts';
import { startRuns } from './runs/runs.actions.ts';
import { findRun, listLatestRuns, listRuns, startRestore } from './runs/runs.store.ts';

interface Feature {
  app: FastifyInstance;
  deps: Deps;
  access: Access;
}

export function retentionRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  const feature = { app, deps, access };
  serveGroup(feature, {
    get: getFileRetention,
    save: saveFileRetention,
    toRules: (body) => ({ files: body }),
    toResponse: (saved) => saved.files,
  });
  // The response schema of each group keeps only its own kinds.
  const byName = { toRules: (body: RulesByKind) => body, toResponse: (saved: SavedRules) => saved };
  serveGroup(feature, { get: getMessageRetention, save: saveMessageRetention, ...byName });
  serveGroup(feature, { get: getNoteRetention, save: saveNoteRetention, ...byName });
  serveGroup(feature, { get: getTaskRetention, save: saveTaskRetention, ...byName });
  serveGroup(feature, { get: getMeetingRetention, save: saveMeetingRetention, ...byName });
  serveGroup(feature, { get: getVoiceRetention, save: saveVoiceRetention, ...byName });
  serve(app, getRetention, access.teamAdmin, async ({ who }) => getOverview(deps.db, who.teamId));
  serveCounts(feature);
  serveRuns(feature);
  foresightRoutes(app, deps, access);
  holdRoutes(app, deps, access);
  recoveryRoutes(app, deps, access);
}

type SavedRules = Record<RetentionKind, SavedRule>;

/** The rules of one screen, read and saved as a whole. */
function serveGroup<Get extends AnyEndpoint, Save extends AnyEndpoint>(
  { app, deps, access }: Feature,
  group: {
    get: Get;
    save: Save;
    toRules(body: Received<Save>['body']): RulesByKind;
    toResponse(saved: SavedRules): Answer<Get> & Answer<Save>;
  },
): void {
  serve(app, group.get, access.teamAdmin, async ({ who }) => {
    const { byKind } = await getTeamRules(deps.db, who.teamId);
    return group.toResponse(toSavedRules(byKind));
  });
  serveChange({ app, deps }, group.save, access.teamAdmin, async (trx, { who, body }) => {
    const rules = group.toRules(body);
    const { saved, audit } = await saveRules(trx, deps, { who, rules });
    return { answer: group.toResponse(toSavedRules(saved)), audit };
  });
}

/** All rules of a team with their cutoffs and latest runs; counts nothing. */
async function getOverview(db: Database, teamId: string): Promise<Answer<typeof getRetention>> {
  const rules = await getTeamRules(db, teamId);
  const latest = await listLatestRuns(db, teamId);
  const kinds = RETENTION_KINDS.map((kind) => {
    const runs = latest.filter((run) => run.kind === kind);
    return {
      kind,
      rule: toSavedRule(kind, rules.byKind[kind]),
      cutoff: getCurrentScope(teamId, kind, rules)?.cutoff ?? null,
      last_run: runs.find(({ state }) => state !== 'running') ?? null,
      running: runs.find(({ state }) => state === 'running') ?? null,
    };
  });
  return { time_zone: rules.timeZone, next_run_at: nextNight(rules.now, rules.timeZone), kinds };
}

/** Calls that count items: previews and totals. */
function serveCounts({ app, deps, access }: Feature): void {
  const cached = createCache<StoredRetention>(keepIfSlow);

  serve(app, previewRetention, access.teamAdmin, async ({ who: { teamId, userId }, body }) => {
    const { value, duration, canmark, ...named } = body;
    const rules = value === undefined ? named : { ...named, files: { value, duration, canmark } };
    const teamRules = await getTeamRules(deps.db, teamId);
    const count = () => deps.replica.count((db) => previewRules(db, { teamId, rules, teamRules }));
    return deps.countQueue.run({ key: teamId, user: userId }, count);
  });

  serve(app, getRetentionStored, access.teamAdmin, async ({ who: { teamId, userId }, query }) => {
    const teamRules = await getTeamRules(deps.db, teamId);
    const records: StoredRetention[] = [];
    for (const kind of query.kinds ?? RETENTION_KINDS) {
      const key = JSON.stringify([teamId, kind, teamRules.byKind[kind].current, teamRules.holds]);
      const count = () => deps.replica.count((db) => countKind(db, { teamId, kind, teamRules }));
      records.push(await cached(key, () => deps.countQueue.run({ key: teamId, user: userId }, count)));
    }
    return { counted_at: teamRules.now, records };
  });
}

function serveRuns({ app, deps, access }: Feature): void {
  serveChange({ app, deps }, runRetention, recently(access.teamAdmin), async (trx, { who, body }) => {
    const { teamId, userId } = who;
    const records = await startRuns(trx, deps, { teamId, kinds: body?.kinds, origin: 'person', startedBy: userId });
    const details = { kinds: body?.kinds ?? ('all' as const), runs: records.map(({ id }) => id) };
    const audit: AuditEvent = { action: 'retention.run_asked', teamId, actorId: userId, target: teamId, details };
    return { answer: { records }, audit };
  });

  serve(app, listRetentionRuns, access.teamAdmin, async ({ who: { teamId }, query }) => {
    const { kind, last_key, limit } = query;
    const isRecoverable = query.recoverable === '1';
    const scope = { list: 'retention runs', teamId, filters: { kind, isRecoverable } };
    const cursor = readCursor(deps.secrets, scope, last_key);
    const rows = await listRuns(deps.db, teamId, {
      kind,
      isRecoverable,
      before: cursor?.[0],
      limit: rowsToFetch(limit),
    });
    const first = cursor === undefined;
    return getPage(rows, { limit, first, secrets: deps.secrets, scope, toKey: (row) => [row.id] });
  });
}

/** Admins set the number of days. Only owners restore. */
function recoveryRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  serve(app, endpoints.getRecovery, access.teamAdmin, async ({ who }) =>
    toAnswer((await findRecovery(deps.db, who.teamId)).state),
  );
  serveChange({ app, deps }, endpoints.saveRecovery, access.teamAdmin, (trx, { who, body }) =>
    changeRecovery(trx, deps, { who, days: body.recoverable_days }),
  );
  serveChange({ app, deps }, endpoints.restoreRun, recently(access.teamOwner), async (trx, { who, params }) => {
    const { teamId, userId } = who;
    const key = { teamId, runId: params.runId };
    const run = (await lockRecoverableRun(trx, key)) ?? refuse('record.not_found');
    const readAnswer = async () => (await findRun(trx, key)) ?? refuse('record.not_found');
    const job = { team_id: teamId, run_id: key.runId };
    if (run.restore_state === 'running') {
      // The first request's job may be lost if the server was killed at each attempt. Two jobs do no harm.
      await deps.jobs.send(trx, restoreJob, job);
      return { answer: await readAnswer(), audit: null };
    }
    if (run.state === 'running') refuse('retention.run_running');
    if (run.objects === 0) refuse('retention.not_recoverable');
    await startRestore(trx, key);
    await deps.jobs.send(trx, restoreJob, job);
    const audit = { action: 'retention.restore_asked', teamId, actorId: userId, target: key.runId } as const;
    return { answer: await readAnswer(), audit };
  });
}
