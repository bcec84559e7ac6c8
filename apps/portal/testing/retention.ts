import * as contract from '@steward/contract/retention';
import { RETENTION_KINDS, type RetentionKind, type SavedRule } from '@steward/contract/retention/fields';
import { getRetentionAges, getRetentionForecast } from '@steward/contract/retention/foresight';
import { listHolds } from '@steward/contract/retention/holds';
import { getRecovery } from '@steward/contract/retention/recovery';
import { answer } from './fake-server.ts';

type PerKind<Value> = Partial<Record<RetentionKind, Value>>;

export interface Given {
  rules?: PerKind<SavedRule>;
  kinds?: PerKind<Partial<contract.KindRetention>>;
  stored?: PerKind<Partial<contract.StoredRetention>>;
  runs?: readonly contract.RetentionRun[];
  zone?: string;
}

const KEEP: SavedRule = { value: 0 };

export const days = (count: number): SavedRule => ({ value: 1, duration: { count, period: 'd' } });

/** Answers all calls of the overview and of the forms. Without rules everything is kept. */
export function answerRetention({ rules = {}, kinds = {}, stored = {}, runs = [], zone = 'UTC' }: Given = {}): void {
  const rule = (kind: RetentionKind) => rules[kind] ?? KEEP;
  answer(contract.getRetention, {
    time_zone: zone,
    next_run_at: Date.UTC(2100, 0, 1),
    kinds: RETENTION_KINDS.map((kind) => ({
      kind,
      rule: rule(kind),
      cutoff: null,
      last_run: null,
      running: null,
      ...kinds[kind],
    })),
  });
  answer(contract.getRetentionStored, ({ query }) => ({
    counted_at: 1,
    records: (query.kinds ?? [...RETENTION_KINDS]).map((kind) => ({
      kind,
      count: 0,
      bytes: 0,
      overdue: 0,
      overdue_bytes: 0,
      held: { count: 0, bytes: 0 },
      oldest: null,
      ...stored[kind],
    })),
  }));
  answer(contract.listRetentionRuns, ({ query: { kind, recoverable } }) => ({
    records: runs.filter(
      (run) =>
        (kind === undefined || run.kind === kind) && (recoverable === undefined || run.recoverable_until !== null),
    ),
    last_key: null,
  }));
  const describeRules = <Kind extends RetentionKind>(...names: Kind[]) =>
    Object.fromEntries(names.map((kind) => [kind, rule(kind)])) as Record<Kind, SavedRule>;
  answer(contract.getFileRetention, rule('files'));
  answer(contract.getMessageRetention, describeRules('public_channels', 'private_channels', 'direct_messages'));
  answer(contract.getNoteRetention, describeRules('archived_notes'));
  answer(contract.getTaskRetention, describeRules('completed_tasks'));
  answer(contract.getMeetingRetention, describeRules('meeting_history', 'meeting_recordings'));
  answer(
    contract.getVoiceRetention,
    describeRules('call_history', 'call_recordings', 'voicemails', 'communication_history'),
  );
  // A form counts shortly after each edit, which a test may outlast or not.
  answer(contract.previewRetention, ({ body }) =>
    Object.fromEntries(('value' in body ? ['files'] : Object.keys(body)).map((kind) => [kind, preview(0)])),
  );
  answer(getRetentionAges, { clock: 'own', months: [] });
  answer(getRetentionForecast, { records: [], total: { count: 0, bytes: 0, held: 0 } });
  answer(getRecovery, { recoverable_days: 7 });
  answer(listHolds, { records: [] });
}

export const preview = (count: number, fields: Partial<contract.Preview> = {}): contract.Preview => ({
  count,
  bytes: count * 12,
  oldest: count === 0 ? null : 1,
  newest: count === 0 ? null : 2,
  held: { count: 0, bytes: 0 },
  deletes_more: true,
  cutoff: Date.UTC(2026, 0, 1),
  effective_at: Date.UTC(2100, 0, 1),
  first_run_at: Date.UTC(2100, 0, 2),
  ...fields,
});
