import type { AuditRecord } from '@steward/contract/audit';
import { createCsvParts } from '#platform/csv/csv-parts.ts';
import { changesText } from '../details/changes.ts';
import { fromOf, targetOf, whatOf, whoOf } from './audit-words.ts';

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
      for (const record of records) csv.add(cellsOf(record, product));
    },
    finish: () => csv.finish(),
  };
}

function cellsOf(record: AuditRecord, product: string): string[] {
  const { at, actor, action, target, details, names, request_id } = record;
  const { name, note } = targetOf(record);
  return [
    new Date(at).toISOString(),
    whoOf(record, product).name,
    actor?.email ?? '',
    whatOf(record),
    name === '–' ? '' : name,
    note === target ? '' : note,
    changesText(details, names),
    fromOf(record),
    action,
    actor?.id ?? '',
    target,
    request_id,
  ];
}
