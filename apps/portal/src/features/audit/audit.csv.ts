import type { AuditRecord } from '@steward/contract/audit';
import { createCsvParts } from '#platform/csv/csv.ts';
import { getActionText, getActor, getSource, getTarget } from './audit-text.ts';
import { formatChanges } from './changes.ts';

const COLUMNS = [
  'When',
  'Who',
  'Email',
  'What',
  'Target',
  'Target type',
  'Changes',
  'From',
  'Action',
  'Actor id',
  'Target id',
  'Request id',
];

export interface AuditCsv {
  add(records: readonly AuditRecord[]): void;
  finish(): Blob;
}

/** Times are in UTC, so that the same rows give the same file in every time zone and sort as text. */
export function createAuditCsv(product: string): AuditCsv {
  const csv = createCsvParts(COLUMNS);
  return {
    add(records) {
      for (const record of records) csv.add(toCells(record, product));
    },
    finish: () => csv.finish(),
  };
}

function toCells(record: AuditRecord, product: string): string[] {
  const { at, actor, action, target, details, names, request_id } = record;
  const { name, note } = getTarget(record);
  return [
    new Date(at).toISOString(),
    getActor(record, product).name,
    actor?.email ?? '',
    getActionText(record),
    name === '–' ? '' : name,
    note === target ? '' : note,
    formatChanges(details, names),
    getSource(record),
    action,
    actor?.id ?? '',
    target,
    request_id,
  ];
}
