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
  'IP address',
  'Outcome',
  'User id',
  'Request id',
];

export interface SignInsCsv {
  add(records: readonly SignIn[]): void;
  finish(): Blob;
}

/** Times are in UTC, so that the same rows give the same file in every time zone and sort as text. */
export function createSignInsCsv(): SignInsCsv {
  const csv = createCsvParts(COLUMNS);
  return {
    add(records) {
      for (const record of records) csv.add(toCells(record));
    },
    finish: () => csv.finish(),
  };
}

function toCells(record: SignIn): string[] {
  const { at, first_name, last_name, email, outcome, method, device, address, user_id, request_id } = record;
  return [
    new Date(at).toISOString(),
    first_name,
    last_name,
    email,
    OUTCOMES[outcome].label,
    METHODS[method],
    device,
    address,
    outcome,
    user_id,
    request_id,
  ];
}
