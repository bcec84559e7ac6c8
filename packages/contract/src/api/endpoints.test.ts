import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { z } from 'zod';
import { endpoints } from './endpoints.ts';
import { ERRORS, ErrorBody } from './errors.ts';

const ROOM_FILES = join(import.meta.dirname, '..');

test('every endpoint that a file declares is in the list, once', () => {
  const declared = readdirSync(ROOM_FILES, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.endsWith('endpoint.ts'))
    .flatMap((file) => [
      ...readFileSync(join(ROOM_FILES, file), 'utf8').matchAll(/export const (\w+) = (?:endpoint|reading|saving)\(/g),
    ])
    .map((match) => match[1]);
  assert.ok(declared.length > 0);
  assert.deepEqual(endpoints.map(({ name }) => name).sort(), declared.sort());
  assert.equal(new Set(endpoints.map(({ method, path }) => `${method} ${path}`)).size, endpoints.length);
});

test('every parameter in a path is in its schema, and every name is said in the path', () => {
  for (const { name, path, params } of endpoints) {
    const inPath = [...path.matchAll(/:(\w+)/g)].map((match) => match[1]);
    const inSchema = params instanceof z.ZodObject ? Object.keys(params.shape) : [];
    assert.deepEqual(inSchema.sort(), inPath.sort(), name);
    assert.match(path, /^(\/(:\w+|[a-z_]+))+$/, name);
  }
});

/** Calls whose answer shows a secret that they have just made, once. */
const SHOWS_NEW_SECRET = new Set([
  'addInvitationLink',
  'addScimToken',
  'addToken',
  'addTotp',
  'connectIntegration',
  'saveIntegration',
]);

test('no response has a field for a secret, except where one was just created', () => {
  for (const { name, answer } of endpoints.filter((each) => !SHOWS_NEW_SECRET.has(each.name))) {
    // How many tokens there are is no secret, nor whether there is one, who chooses it, or who wants emails about new ones.
    const shape = JSON.stringify(z.toJSONSchema(answer, { unrepresentable: 'any' })).replaceAll(
      /"tokens":\{"type":"integer"|"(new_token|has_secret)":\{"type":"boolean"|"secret_from":\{"type":"string","enum"/g,
      '',
    );
    assert.doesNotMatch(shape, /"[^"]*(password|hash(?!tags)|token|secret)[^"]*":/i, name);
  }
});

/** Calls that count or foretell something by their name or path; what does so cheaply says why. */
const SOUNDS_EXPENSIVE = /preview|stored|count|forecast|\bages?\b|export|estimate|search|dry_?run/i;

/** Calls that sound expensive, and why they aren't. */
const CHEAP: Readonly<Record<string, string>> = {
  getUserExport: 'reads one row',
  listUserExports: 'reads at most 100 rows of one owner',
  getOwnExport: 'reads one row',
  getHoldExport: 'reads one row',
  linkOwnAccount: "reads the user's own teams",
  previewTimeZone: "reads the team's rules and counts no content",
};

test('every call that searches, counts, previews or can be exported is limited', () => {
  const missing: string[] = [];
  for (const { name, path, query, body, costs = [] } of endpoints) {
    const fields = (schema: unknown) => Object.keys((schema as { shape?: object } | undefined)?.shape ?? {});
    const kinds = costs.map(({ kind }) => kind);
    const need = (kind: (typeof kinds)[number], isNeeded: boolean) => {
      if (isNeeded && !kinds.includes(kind)) missing.push(`${name}: ${kind}`);
    };
    need('search', fields(query).includes('search'));
    need('export', fields(query).includes('limit'));
    need('count', fields(query).includes('preview') || fields(body).includes('dry_run'));
    const isListed = kinds.length > 0 || CHEAP[name] !== undefined;
    if (SOUNDS_EXPENSIVE.test(`${name} ${path}`) && !isListed) missing.push(name);
  }
  assert.deepEqual(missing, []);
});

test('what a call counts as depends on what it asks for', () => {
  const kindsOf = (name: string, query: object, body: unknown = undefined) =>
    (endpoints.find((each) => each.name === name)?.costs ?? [])
      .filter(({ when }) => when?.({ query, body }) ?? true)
      .map(({ kind }) => kind);
  assert.deepEqual(kindsOf('listUsers', {}), []);
  assert.deepEqual(kindsOf('listUsers', { search: '', limit: 100 }), []);
  assert.deepEqual(kindsOf('listUsers', { search: 'anna' }), ['search']);
  assert.deepEqual(kindsOf('listUsers', { limit: 2000 }), ['export']);
  assert.deepEqual(kindsOf('listUsers', { limit: 2000, last_key: 'x' }), [], 'an export counts once');
  assert.deepEqual(kindsOf('listUsers', { search: 'anna', limit: 101 }), ['search', 'export']);
  assert.deepEqual(kindsOf('uploadEntries', { preview: '1' }, []), ['count']);
  assert.deepEqual(kindsOf('uploadEntries', {}, []), []);
  assert.deepEqual(kindsOf('startBulk', {}, { dry_run: true }), ['count']);
  assert.deepEqual(kindsOf('startBulk', {}, { dry_run: false }), []);
  assert.deepEqual(kindsOf('previewRetention', {}, {}), ['count']);
});

test('GET takes no body', () => {
  for (const { name, method, body } of endpoints) assert.ok(method !== 'GET' || body === undefined, name);
});

test('every refusal has a feature, a status that is one, and a sentence for people', () => {
  for (const [id, { status_code, message }] of Object.entries(ERRORS)) {
    assert.match(id, /^[a-z]+\.[a-z_]+$/);
    assert.ok(status_code >= 400 && status_code <= 503, id);
    // One text of the specification ends in a blank.
    assert.match(message, /^[A-Z].*\. ?$/, id);
    assert.ok(ErrorBody.safeParse({ status_code, message, id, request_id: 'r' }).success);
  }
});
