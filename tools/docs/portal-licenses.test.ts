import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startApp } from '@steward/server/testing/app/start-app.ts';
import { beforeAll, describe, test } from 'vitest';
import { buildPortal } from '../build/build-portal.ts';
import { getLicenseProblem } from './license-list.ts';

/** These packages name their license without its text. */
const WITHOUT_TEXT = ['react-remove-scroll-bar'];

const portal = join(import.meta.dirname, '../../apps/portal');

describe('the licenses of the portal', () => {
  let listed: RegExpMatchArray[] = [];
  let page = '';

  beforeAll(async () => {
    await buildPortal();
    page = readFileSync(join(portal, 'dist/licences.md'), 'utf8');
    listed = [...page.matchAll(/^## (\S+) - \S+ \((.+)\)$/gm)];
  });

  test('cover all of its dependencies, including the font', () => {
    const { dependencies } = JSON.parse(readFileSync(join(portal, 'package.json'), 'utf8'));
    const wanted = [...Object.keys(dependencies), '@fontsource-variable/inter'].filter(
      (name) => !name.startsWith('@steward/'),
    );
    const names = listed.map(([, name]) => name);
    assert.ok(names.length > wanted.length, 'and of what those depend on');
    assert.equal(new Set(names).size, names.length);
    assert.deepEqual(
      wanted.filter((name) => !names.includes(name)),
      [],
    );
  });

  test('are served with the code', async () => {
    await using node = await startApp({ work: false, portalDirectory: join(portal, 'dist') });
    const reply = await node.app.inject({ url: '/licences.md' });
    assert.deepEqual([reply.statusCode, reply.body], [200, page]);
  });

  test('are complete, and allow distribution', () => {
    assert.deepEqual(
      listed.map(([, name = '', license = '']) => getLicenseProblem({ name, license, isTool: false })).filter(Boolean),
      [],
    );
    const texts = page.split(/^## /m).slice(1);
    assert.deepEqual(
      texts.filter((text) => !/copyright/i.test(text)).map((text) => text.split(' ', 1)[0]),
      WITHOUT_TEXT,
    );
  });
});
