import { sql } from 'kysely';
import { runWorkspace } from '#testing/app/programs.ts';
import { settled } from '#testing/faults/wait-for-jobs.ts';
import type { Change } from './load.ts';
import type { Steward } from './steward.ts';

export type Findings = Awaited<ReturnType<typeof checkOutcome>>;

const JOBS_SECONDS = 600;

/** Counts each change in the database. Each count must be 0 or 1; for an acknowledged change, 1. */
async function countEffects({ node }: Steward, changes: readonly Change[]): Promise<Map<string, number[]>> {
  const marks = (kind: Change['kind']) => changes.filter((change) => change.kind === kind).map(({ mark }) => mark);
  const { rows } = await sql<{ mark: string; counts: number[] }>`select mark, array[
      (select count(*)::int from memberships m where m.email = mark || '@example.test'),
      (select count(*)::int from memberships m join audit_events a on a.team_id = m.team_id and a.target = m.person_id
        and a.action = 'users.invited' where m.email = mark || '@example.test')] as counts
    from unnest(${marks('user')}::text[]) mark
    union all select mark, array[count(distinct e.id)::int, count(distinct a.id)::int]
    from unnest(${marks('entry')}::text[]) mark left join directory_entries e on e.name = mark
    left join audit_events a on a.team_id = e.team_id and a.target = e.id and a.action = 'directory.added'
    group by mark
    union all select mark, array_agg((select count(*)::int from messages m where m.channel_id = c.channel_id
      and m.text = mark))
    from unnest(${marks('delivery')}::text[]) mark
    join messages any_of on any_of.text = mark
    join integration_channels c on c.team_id = any_of.team_id
    group by mark, any_of.id`.execute(node.deps.slowQueryPool);
  return new Map(rows.map(({ mark, counts }) => [mark, counts]));
}

export async function checkOutcome(steward: Steward, changes: readonly Change[], url: string) {
  const { node, smtp } = steward;
  await settled(node, JOBS_SECONDS);
  const counts = await countEffects(steward, changes);
  const acknowledged = changes.filter(({ acknowledgedAt }) => acknowledgedAt !== undefined);
  const effects = (change: Change) => counts.get(change.mark) ?? [];
  const { rows: jobs } = await sql<{ name: string; failed: number; retried: number }>`select name,
      count(*) filter (where state = 'failed')::int as failed,
      count(*) filter (where retry_count > 0)::int as retried
      from pgboss.job where name <> 'dead_letters' group by name`.execute(node.deps.slowQueryPool);
  const verified = await runWorkspace(['audit', '--verify'], { DATABASE_URL: url, SECRET_KEY: '5e'.repeat(32) });
  return {
    acknowledged: acknowledged.length,
    /** Acknowledged changes that are missing, and changes that took effect more than once. */
    lost: acknowledged.filter((change) => !isThere(effects(change))).map(toText),
    doubled: changes.filter((change) => effects(change).some((count) => count > 1)).map(toText),
    ...countEmails(smtp.accepted),
    replicaReads: await steward.countReplicaReads(),
    jobsFailed: jobs.flatMap(({ name, failed }) => Array.from({ length: failed }, () => name)),
    /** Their first attempt was interrupted. */
    jobsRetried: jobs.reduce((sum, { retried }) => sum + retried, 0),
    /** The last line of the check of the audit log, and its result. */
    audit: { passed: verified.code === 0, said: `${verified.out}${verified.err}`.trim().split('\n').at(-1) ?? '' },
  };
}

const toText = ({ kind, mark }: Change) => `${kind} ${mark}`;
const isThere = (effects: readonly number[]) => effects.length === 2 && effects.every((count) => count >= 1);

function countEmails(accepted: Steward['smtp']['accepted']) {
  const byReader = [...Map.groupBy(accepted, ({ to }) => to[0]).values()];
  const sent = byReader.map((mails) => mails.map(({ source }) => /^message-id: (.*)$/im.exec(source)?.[1]));
  return {
    /** The second copy has a different Message-ID, so the recipient gets two. */
    emailsDoubled: sent.filter((ids) => new Set(ids).size > 1).length,
    emailsRepeated: sent.filter((ids) => ids.length > new Set(ids).size).length,
  };
}
