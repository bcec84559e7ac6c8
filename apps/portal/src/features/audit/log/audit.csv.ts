import type { AuditRecord } from '@steward/contract/audit';
import { createCsvParts } from '#platform/csv/csv-parts.ts';
import { formatChanges } from '../details/changes.ts';
import { getActionText, getActor, getSource, getTarget } from './audit-text.ts';

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

/** The audit log as a file, built a page at a time. */
export interface AuditCsv {
  add(records: readonly AuditRecord[]): void;
  finish(): Blob;
}

/** When is UTC's, to the second and in order when sorted as text: the same lines give the same file wherever it is made. */
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
