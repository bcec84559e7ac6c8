import { getRetentionAges, getRetentionForecast, listDueItems } from '@steward/contract/retention/foresight';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { serve } from '#platform/http/http.ts';
import { getPage, readCursor, rowsToFetch } from '#platform/http/paging.ts';
import { createCache } from '#platform/jobs/cache.ts';
import type { Access } from '#workspace/access/access.ts';
import type { TeamRules } from '#workspace/content/retention/rule-schedule.rules.ts';
import { getTeamRules } from '../rules/save-rules.actions.ts';
import { listLatestRuns } from '../runs/runs.store.ts';
import { countAges, forecast, getCurrentClock, listDue } from './foresight.actions.ts';

const CACHED_MS = 60_000;

export function foresightRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  const { db, countQueue: queue, replica } = deps;
  const cached = createCache<unknown>(() => CACHED_MS);
  /** The key changes with the rules, the holds and the runs, on every process. */
  const once = async <T>(
    input: readonly [call: string, teamId: string, ...rest: unknown[]],
    rules: TeamRules,
    compute: () => Promise<T>,
  ): Promise<T> => {
    const [, teamId] = input;
    const runs = (await listLatestRuns(db, teamId)).map(({ id, state, deleted }) => [id, state, deleted]);
    const { byKind, savedAt, timeZone, holds } = rules;
    return (await cached(JSON.stringify([...input, byKind, savedAt, timeZone, holds, runs]), compute)) as T;
  };

  serve(app, getRetentionAges, access.teamAdmin, async ({ who: { teamId, userId }, query }) => {
    const rules = await getTeamRules(db, teamId);
    const clock = query.clock ?? getCurrentClock(query.setting, rules);
    const count = () =>
      replica.count((replicaDb) => countAges(replicaDb, { teamId, kind: query.setting, clock }, rules));
    return once(['ages', teamId, query.setting, clock], rules, () => queue.run({ key: teamId, user: userId }, count));
  });

  serve(app, getRetentionForecast, access.teamAdmin, async ({ who: { teamId, userId }, query: { days } }) => {
    const share = { key: teamId, user: userId };
    const rules = await getTeamRules(db, teamId);
    return once(['forecast', teamId, days], rules, () =>
      replica.count((replicaDb) => forecast({ db: replicaDb, queue, share }, { teamId, days }, rules)),
    );
  });

  dueItemsRoute(app, deps, access);
}

function dueItemsRoute(app: FastifyInstance, deps: Deps, access: Access): void {
  const { db, slowQueryPool } = deps;
  serve(app, listDueItems, access.teamAdmin, async ({ who: { teamId, userId }, query }) => {
    const { setting: kind, cutoff, last_key, limit } = query;
    const rules = await getTeamRules(db, teamId);
    if (cutoff > rules.now) refuse('request.invalid', 'cutoff: must not be in the future');
    const clock = query.clock ?? getCurrentClock(kind, rules);
    const scope = { list: 'due items', teamId, filters: { kind, clock, cutoff } };
    const cursor = readCursor(deps.secrets, scope, last_key);
    const rows = await listDue(
      slowQueryPool,
      {
        setting: { teamId, kind, clock },
        cutoff,
        readerId: userId,
        after: cursor && { clock: Number(cursor[0]), id: cursor[1] ?? '' },
        limit: rowsToFetch(limit),
      },
      rules,
    );
    const toKey = (row: (typeof rows)[number]) => [String(row.clock), row.id];
    return getPage(rows, { limit, first: cursor === undefined, secrets: deps.secrets, scope, toKey });
  });
}
