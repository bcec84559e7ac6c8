import type { SignIn } from '@steward/contract/users/sign-ins';
import { createCsvParts } from '#platform/csv/csv.ts';
import { METHODS, OUTCOMES } from './sign-in-text.ts';

const COLUMNS = [
  'When',
  'First Name',
  'Last Name',
  'Email',
  'Result',
  'Method',
  'Device',
  'From',
  'User id',
  'Request id',
];

/** The sign-in log as CSV, built page by page. Times are in UTC, so the same rows give the same file everywhere. */
export function createSignInsCsv() {
  const csv = createCsvParts(COLUMNS);
  return {
    add(records: readonly SignIn[]) {
      for (const record of records) csv.add(toCells(record));
    },
    finish: () => csv.finish(),
  };
}

function toCells({ at, outcome, method, ...record }: SignIn): string[] {
  const { first_name, last_name, email, device, address, user_id, request_id } = record;
  const when = new Date(at).toISOString();
  return [when, first_name, last_name, email, OUTCOMES[outcome], METHODS[method], device, address, user_id, request_id];
}
