import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  AUDIT_ACTIONS,
  AUDIT_AREAS,
  type AuditArea,
  listAuditActions,
  parseAuditActions,
} from '@steward/contract/audit/catalog';
import { test } from 'vitest';

/** The server and the operator's commands, which write to the same log. */
const SOURCES = ['server', 'cli'].map((app) => join(import.meta.dirname, '../../../..', app, 'src'));

/** The names of the actions that the code writes. */
function writtenActions(): string[] {
  const files = SOURCES.flatMap((folder) => {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    return names.filter((name) => /(?<!\.test)\.ts$/.test(name)).map((name) => join(folder, name));
  });
  const lines = files.flatMap((file) => readFileSync(file, 'utf8').split('\n'));
  const about = lines.filter((line) => /\baction\b/.test(line));
  return [...new Set(about.flatMap((line) => [...line.matchAll(/'([a-z]+\.[a-z_]+)'/g)].map(([, name = '']) => name)))];
}

/** Actions that occur only in rows of earlier versions. */
const FORMER = ['users.joined'];

test('the catalog lists exactly the actions that the code writes, and former ones', () => {
  const written = writtenActions();
  assert.ok(written.length > 30, `found only ${written.length}`);
  assert.deepEqual([...written, ...FORMER].sort(), Object.keys(AUDIT_ACTIONS).sort());
});

test('every action has a label of its own, in sentence case', () => {
  const labels = Object.values(AUDIT_ACTIONS).map(({ label }) => label);
  assert.equal(new Set(labels).size, labels.length);
  for (const text of labels) assert.match(text, /^[A-Z][^.]*[^. ]$/);
});

test('an area selects all its actions, and anything else selects nothing', () => {
  assert.deepEqual(parseAuditActions('tokens'), ['tokens.added', 'tokens.policy_saved', 'tokens.removed']);
  assert.deepEqual(parseAuditActions('tokens.removed,tokens,content'), [
    'content.added',
    'content.held',
    'tokens.added',
    'tokens.policy_saved',
    'tokens.removed',
  ]);
  for (const filter of ['', ',', 'tokens,', 'token', 'tokens.', 'tokens.x', 'constructor', '__proto__', 'users.invit'])
    assert.equal(parseAuditActions(filter), undefined, filter);
});

test('every area has actions to filter by, without those that belong to a person and not to a team', () => {
  for (const area of Object.keys(AUDIT_AREAS) as AuditArea[]) assert.ok(listAuditActions(area).length > 0, area);
  assert.deepEqual(listAuditActions('session'), ['session.reset_requested']);
});
