import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { findGuideSection, GUIDE_PAGE, NAVIGATION } from '#app/navigation.ts';
import { GUIDE_MENU } from '#features/guide/pages.ts';
import { parseGuidePage } from './guide-pages.ts';

const FOLDER = join(import.meta.dirname, '../../../docs/guide');
const read = (name: string) => parseGuidePage(readFileSync(join(FOLDER, `${name}.md`), 'utf8'));
const names = GUIDE_MENU.map(({ name }) => name);

test('headings become sections, and links to other pages paths of the portal', () => {
  const page = parseGuidePage(
    [
      '# A guide\n\n- [Use it](#use-it)\n\n## Use it\n',
      'See [files](csv-files.md#cells), [below](#use-it), [setup](../operator-guide.md) and [Liquid](https://liquid.example).',
      '![A screen](screens/a.png)',
    ].join('\n'),
  );
  assert.equal(page.title, 'A guide');
  assert.deepEqual(page.sections, [{ id: 'use-it', title: 'Use it' }]);
  assert.deepEqual(page.pictures, ['screens/a.png']);
  assert.match(page.html, /^<h2 id="use-it">Use it<\/h2>/);
  assert.match(page.html, /<a href="\/guide\/csv-files#cells">files<\/a>, <a href="#use-it">below<\/a>, setup and/);
  assert.match(page.html, /<a href="https:\/\/liquid.example" target="_blank" rel="noreferrer">Liquid<\/a>/);
  assert.match(page.html, /<img src="\{picture 0\}" alt="A screen"/);
});

test('every page of docs/guide is in the menu', () => {
  const files = globSync('*.md', { cwd: FOLDER }).map((file) => file.slice(0, -'.md'.length));
  assert.deepEqual(files.sort(), [...names].sort());
});

describe('the pages of docs/guide', () => {
  for (const name of names) {
    test(`${name}: pictures exist and links lead to sections`, () => {
      const { html, pictures, title } = read(name);
      assert.notEqual(title, '');
      for (const picture of pictures) assert.ok(existsSync(join(FOLDER, picture)), picture);
      for (const [, page = name, hash] of html.matchAll(/href="(?:\/guide\/([\w-]+))?(?:#([\w-]+))?"/g)) {
        assert.ok(names.includes(page), page);
        if (hash !== undefined) assert.ok(read(page).html.includes(` id="${hash}"`), `${page}#${hash}`);
      }
    });
  }
});

test('each screen of the sidebar has a section in the guide', () => {
  const sections = read(GUIDE_PAGE).sections.map(({ id }) => id);
  const paths = NAVIGATION.flatMap(({ items }) => items.filter(({ isAhead }) => isAhead !== true).map(({ to }) => to));
  for (const path of ['/', ...paths]) assert.ok(sections.includes(findGuideSection(path) ?? ''), path);
});

test('screens below another one have its section', () => {
  assert.equal(findGuideSection('/dashboard/team_settings/voice_retention'), 'retention');
  assert.equal(findGuideSection('/dashboard/settings/zendesk'), 'zendesk');
  assert.equal(findGuideSection('/no/such/place'), undefined);
});
