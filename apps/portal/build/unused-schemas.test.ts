import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepExport, splitImports } from './unused-schemas.ts';

const MODULE = `import { z } from 'zod';
export const Name = z.string().max(3);
export const save = endpoint({ name: 'save', method: 'POST', path: '/names', summary: 's', body: Name, answer: z.object({}) });
export const parts = { name: Name.optional() };
export const MAX = 3;
export function isName(value) { return value.length <= MAX; }
`;
const unused = () => false;

test('each name of the contract is imported from a module of its own', () => {
  const code = `import { a, b as c } from '@steward/contract/x'; import * as all from '@steward/contract/x'; import { d } from './d.ts';`;
  assert.equal(
    splitImports(code, (source) => source.startsWith('@steward/')),
    `import { a as a } from '@steward/contract/x?only=a'; import { b as c } from '@steward/contract/x?only=b'; ` +
      `import * as all from '@steward/contract/x'; import { d } from './d.ts';`,
  );
});

test('one export is left, and nothing that is made by calls runs unless it is used', () => {
  const code = keepExport(MODULE, 'isName', unused);
  assert.deepEqual(code.match(/export .*?(?= [={(]|\()/g), ['export function isName']);
  assert.match(code, /const Name = \/\* @__PURE__ \*\/ \(\(\) => \(z\.string\(\)\.max\(3\)\)\)\(\);/);
  assert.match(code, /const parts = \/\* @__PURE__ \*\//);
  assert.match(code, /const MAX = 3;/);
});

test('an endpoint keeps what a call needs, and what the portal reads of it', () => {
  const call = `endpoint({ name: 'save', method: 'POST', path: '/names', })`;
  assert.ok(keepExport(MODULE, 'save', unused).includes(call));
  const kept = keepExport(MODULE, 'save', (endpoint, property) => `${endpoint}.${property}` === 'save.body');
  assert.ok(kept.includes(`path: '/names', body: Name, })`), kept);
});

test('without a name every export is left', () => {
  assert.equal(keepExport(MODULE, undefined, unused).match(/export /g)?.length, 5);
});
