import type { Answer } from '@steward/contract/api/endpoint';
import { USERS_PER_CALL_BYTES } from '@steward/contract/api/limits';
import { pickProfile } from '@steward/contract/users';
import { saveUsers, type UserRowOutcome } from '@steward/contract/users/multi';
import type { AccountType } from '@steward/contract/users/roles';
import { call } from '#platform/api/api.ts';
import type {
  BatchAnswer,
  Outcome,
  PreviewAnswer,
  UploadCalls,
  UploadKind,
} from '#platform/upload/session/upload-kind.ts';
import { COLUMNS, createErrorCsv, openUsersFile, type UserFileRow } from './users-file.csv.ts';

type Saved = Answer<typeof saveUsers>;

/** The server keeps no list of these imports, so nothing is started or finished there. */
export function userImports(teamId: string): UploadKind<UserFileRow, undefined> {
  return {
    calls: importCalls(teamId),
    open: openUsersFile,
    createErrorCsv,
    toTexts: (row) => Object.fromEntries(COLUMNS.map(({ name }) => [name, row[name]])),
    bodyMax: USERS_PER_CALL_BYTES,
  };
}

function importCalls(teamId: string): UploadCalls<UserFileRow, undefined> {
  const params = { teamId };
  return {
    preview: async (rows, { signal }) => {
      const query = { preview: '1', if_exists: 'update' } as const;
      return toPreview(await call(saveUsers, { params, query, body: rows.map(toBody) }, { signal }));
    },
    start: async (_fileName, key) => ({ id: key }),
    store: async (rows, { key }) =>
      toAnswer(
        await call(
          saveUsers,
          { params, query: { if_exists: 'update' }, body: rows.map(toBody) },
          { idempotencyKey: key },
        ),
      ),
    finish: async () => undefined,
  };
}

const KEPT_EMPTY: readonly string[] = ['account_type', 'end_date'];

/** Fields that the file doesn't have, an empty account type and an empty end date are left out, so that the stored values stay. */
export function toBody(row: UserFileRow): Record<string, string> {
  const isSent = (name: (typeof COLUMNS)[number]['name']) =>
    name === 'email' || (row.keep?.includes(name) !== true && (!KEPT_EMPTY.includes(name) || row[name].trim() !== ''));
  const toField = (name: string) => (name === 'end_date' ? 'ends_on' : name);
  return Object.fromEntries(COLUMNS.flatMap(({ name }) => (isSent(name) ? [[toField(name), row[name]]] : [])));
}

const OUTCOMES: Readonly<Record<UserRowOutcome, Outcome>> = {
  invited: 'created',
  changed: 'changed',
  unchanged: 'unchanged',
  failed: 'failed',
};

/** Files contain these names of account types. */
export const ACCOUNT_TYPES: Readonly<Record<AccountType, string>> = { 1: 'Team Admin', 2: 'Team User' };

function toAnswer({ invited, changed, unchanged, errors }: Saved): BatchAnswer {
  return { created: invited, changed, unchanged, errors: errors.map(({ row, error }) => ({ row, error })) };
}

function toPreview(answer: Saved): PreviewAnswer {
  const { outcomes = [], before = [], ...facts } = answer.preview ?? {};
  const stored = before.map(
    ({ row, account_type, ends_on, ...profile }) =>
      [row, { ...pickProfile(profile), account_type: ACCOUNT_TYPES[account_type], end_date: ends_on ?? '' }] as const,
  );
  return {
    ...toAnswer(answer),
    outcomes: outcomes.map((outcome) => OUTCOMES[outcome]),
    before: new Map(stored),
    facts,
  };
}
