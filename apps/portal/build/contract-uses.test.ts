import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { endpoints } from '@steward/contract/api/endpoints';
import { keepExport } from './unused-schemas.ts';

// What unused-schemas.ts takes for granted. Where this fails, screens would call endpoints without a schema that they need, or load all of them.

const CONTRACT = join(import.meta.dirname, '../../../packages/contract/src');
const PORTAL = join(import.meta.dirname, '../src');
const SCHEMAS = '(?:params|query|body|answer|costs|summary)';

function readSources(folder: string): [file: string, text: string][] {
  const files = globSync('**/*.{ts,tsx}', { cwd: folder }).filter((file) => !/\.(?:test|gen)\.ts$/.test(file));
  return files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]);
}

test('the build finds the schemas of every endpoint of the contract', () => {
  const sources = readSources(CONTRACT).map(([, text]) => text);
  const whole = endpoints.filter(({ name }) => {
    const source = sources.find((text) => text.includes(`export const ${name} = `));
    assert.ok(source, `No module of the contract has “export const ${name} = ”, with the name of the endpoint.`);
    const kept = keepExport(stripTypeScriptTypes(source), name, () => false);
    const [, definition = ''] = new RegExp(`export const ${name} = (.*?)\\)\\)\\(\\)`, 's').exec(kept) ?? [];
    return !definition.includes('path:') || definition.includes('answer:');
  });
  // Those of retention are made by functions. Only its screens load them, and these check what is saved by schemas anyway.
  const unexpected = whole.map(({ name }) => name).filter((name) => !/^(?:get|save)\w+Retention$/.test(name));
  assert.deepEqual(unexpected, [], 'These keep their schemas in the portal: declare them by endpoint({ … }).');
});

test('nothing in the portal reads a schema of an endpoint by another name than its own', () => {
  const names = new Set(endpoints.map(({ name }) => name));
  const destructured = new RegExp(`\\{[^{}]*\\b${SCHEMAS}\\b[^{}]*\\} = (?:${[...names].join('|')});`);
  for (const [file, text] of readSources(PORTAL)) {
    // Whatever holds some endpoint: a parameter, a property of such a parameter, an alias.
    const held = [...text.matchAll(/\b(\w+)\??: (?:AnyEndpoint|Endpoint<|E\b)/g)].map(([, name = '']) => name);
    const aliases = [...text.matchAll(/\b(?:const|let) (\w+) = (\w+);/g)].filter(([, , from = '']) => names.has(from));
    const renamed = [...text.matchAll(/\b(\w+) as (\w+)\b/g)].filter(([, from = '']) => names.has(from));
    for (const name of [...held, ...aliases.map(([, name]) => name), ...renamed.map(([, , name]) => name)])
      assert.doesNotMatch(
        text,
        new RegExp(`\\b${name}\\??\\.${SCHEMAS}\\b`),
        `${file} reads a schema by the name “${name}”, which the build removes: name the endpoint itself, such as saveUser.body.`,
      );
    assert.doesNotMatch(
      text,
      destructured,
      `${file} takes an endpoint apart: name the endpoint itself, such as saveUser.body.`,
    );
  }
});
