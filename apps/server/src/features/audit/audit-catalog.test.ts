import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  AUDIT_ACTIONS,
  AUDIT_ROOMS,
  type AuditRoom,
  auditActionsIn,
  parseAuditActions,
} from '@steward/contract/audit/catalogue';

const SOURCES = join(import.meta.dirname, '..', '..');

/** Every name of an action that the server's code writes. */
function writtenActions(): string[] {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.test)\.ts$/.test(file),
  );
  const lines = files.flatMap((file) => readFileSync(join(SOURCES, file), 'utf8').split('\n'));
  const about = lines.filter((line) => /\baction\b/.test(line));
  return [...new Set(about.flatMap((line) => [...line.matchAll(/'([a-z]+\.[a-z_]+)'/g)].map(([, name = '']) => name)))];
}

test('every action that the code writes has words in the catalogue, and every word there is written', () => {
  const written = writtenActions();
  assert.ok(written.length > 30, `found only ${written.length}`);
  assert.deepEqual(written.sort(), Object.keys(AUDIT_ACTIONS).sort());
});

test('words say something different of each action, and start like a sentence', () => {
  const words = Object.values(AUDIT_ACTIONS).map((action) => action.words);
  assert.equal(new Set(words).size, words.length);
  for (const text of words) assert.match(text, /^[A-Z][^.]*[^. ]$/);
});

test('a filter by a room means all its actions, and one by a word that is neither means nothing', () => {
  assert.deepEqual(parseAuditActions('tokens'), ['tokens.added', 'tokens.removed']);
  assert.deepEqual(parseAuditActions('tokens.removed,tokens,content'), [
    'content.added',
    'tokens.added',
    'tokens.removed',
  ]);
  for (const filter of ['', ',', 'tokens,', 'token', 'tokens.', 'tokens.x', 'constructor', '__proto__', 'users.invit'])
    assert.equal(parseAuditActions(filter), undefined, filter);
});

test('every room has something to offer, but for what belongs to a person and to no team', () => {
  for (const room of Object.keys(AUDIT_ROOMS) as AuditRoom[]) assert.ok(auditActionsIn(room).length > 0, room);
  assert.deepEqual(auditActionsIn('session'), ['session.reset_requested']);
});
