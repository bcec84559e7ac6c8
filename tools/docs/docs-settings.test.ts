// The operator's guide must list every variable that the server reads, with its default.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv, VARIABLES } from '@steward/server/src/platform/env.ts';
import { test } from 'vitest';

const guide = readFileSync(join(import.meta.dirname, '../../docs/operator-guide.md'), 'utf8');
const rows = new Map(
  [...guide.matchAll(/^\| `([A-Z_]+)` \| (.*?) \| (.*) \|$/gm)].map(([, name = '', byDefault = '']) => [
    name,
    byDefault,
  ]),
);

test('every variable has its line in the table, and no line is about a variable that is not read', () => {
  assert.deepEqual([...rows.keys()].sort(), [...VARIABLES].sort());
});

test('defaults are those of the server', () => {
  const defaults = Object.entries(parseEnv({}, '/nowhere')).filter(([name]) => VARIABLES.includes(name));
  assert.ok(defaults.length > 5);
  for (const [name, value] of defaults) {
    const text = typeof value === 'boolean' ? String(Number(value)) : String(value);
    assert.equal(rows.get(name), `\`${text}\``, name);
  }
});
