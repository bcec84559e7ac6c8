import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { startApp } from '@steward/server/testing/app/start-app.ts';
import { buildPortal } from '../run/build-portal.ts';
import { getLicenseProblem } from './license-list.ts';

/** Packages that name their licence and bring no text of it. */
const WITHOUT_TEXT = ['react-remove-scroll-bar'];

const portal = join(import.meta.dirname, '../../apps/portal');

describe('the licences that the portal brings along', () => {
  let told: RegExpMatchArray[] = [];
  let page = '';

  before(async () => {
    await buildPortal();
    page = readFileSync(join(portal, 'dist/licences.md'), 'utf8');
    told = [...page.matchAll(/^## (\S+) - \S+ \((.+)\)$/gm)];
  });

  test('are those of everything that it depends on, the font included', () => {
    const { dependencies } = JSON.parse(readFileSync(join(portal, 'package.json'), 'utf8'));
    const wanted = [...Object.keys(dependencies), '@fontsource-variable/inter'].filter(
      (name) => !name.startsWith('@steward/'),
    );
    const names = told.map(([, name]) => name);
    assert.ok(names.length > wanted.length, 'and of what those depend on');
    assert.equal(new Set(names).size, names.length);
    assert.deepEqual(
      wanted.filter((name) => !names.includes(name)),
      [],
    );
  });

  test('are served to everybody who gets the code', async () => {
    await using node = await startApp({ work: false, portalDirectory: join(portal, 'dist') });
    const reply = await node.app.inject({ url: '/licences.md' });
    assert.deepEqual([reply.statusCode, reply.body], [200, page]);
  });

  test('stand there in full, and are such as may be passed on', () => {
    assert.deepEqual(
      told.map(([, name = '', licence = '']) => getLicenseProblem({ name, licence, isTool: false })).filter(Boolean),
      [],
    );
    const texts = page.split(/^## /m).slice(1);
    assert.deepEqual(
      texts.filter((text) => !/copyright/i.test(text)).map((text) => text.split(' ', 1)[0]),
      WITHOUT_TEXT,
    );
  });
});
