// docs/product.md lists every call, error, limit and audit action with the values the contract has.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { endpoints } from '@steward/contract/api/endpoints';
import { ERRORS } from '@steward/contract/api/errors';
import * as limits from '@steward/contract/api/limits';
import { AUDIT_ACTIONS } from '@steward/contract/audit/catalog';

const page = readFileSync(join(import.meta.dirname, '../../docs/product.md'), 'utf8');

function section(number: number): string {
  return page.split(/^## /m).find((part) => part.startsWith(`${number}. `)) ?? '';
}

test('section 4 lists exactly the calls of the API', () => {
  const listed = [
    ...section(4).matchAll(/^\| `([A-Z, ]+) (\/\S+)` \| (?:open|user|self|admin|owner|service) \|/gm),
  ].flatMap(([, methods = '', path = '']) => methods.split(', ').map((method) => `${method} ${path}`));
  assert.deepEqual(listed.toSorted(), endpoints.map(({ method, path }) => `${method} ${path}`).toSorted());
});

test('section 8 lists exactly the error ids, with their status', () => {
  const listed = [...section(8).matchAll(/^\| `([\w.]+)` \| (\d{3}) \|/gm)].map(([, id, status]) => [
    id,
    Number(status),
  ]);
  assert.deepEqual(
    listed.toSorted(),
    Object.entries(ERRORS)
      .map(([id, { status_code }]) => [id, status_code])
      .toSorted(),
  );
});

test('section 9 lists exactly the limits of the contract, with their values', () => {
  const rows = [...section(9).matchAll(/^\| (`[A-Z_`, ]+`) \| ([\d, ]+) \|/gm)];
  const listed = rows.flatMap(([, names = '', values = '']) => {
    const numbers = values.split(', ').map(Number);
    return [...names.matchAll(/`([A-Z_]+)`/g)].map(([, name], at) => [name, numbers[at]]);
  });
  assert.deepEqual(listed.toSorted(), Object.entries(limits).toSorted());
});

test('section 11 lists exactly the audit actions', () => {
  const listed = [...section(11).matchAll(/`(\w+\.\w+)`/g)].map(([, action]) => action);
  assert.deepEqual(listed.toSorted(), Object.keys(AUDIT_ACTIONS).toSorted());
});
