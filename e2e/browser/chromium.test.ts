import assert from 'node:assert/strict';
import { chromium as playwright } from '@playwright/test';
import { testUnless } from '@steward/server/testing/system/unless.ts';
import { test } from 'vitest';
import { chromium } from './chromium.ts';

const INPUT_TYPES =
  'button checkbox color date datetime-local email file month number password radio range reset search submit tel text time url week'.split(
    ' ',
  );
const label = (name: string, control: string) => `<label><span>${name}</span> ${control}</label><br>`;
const FORM_CONTROLS = [
  ...INPUT_TYPES.map((type) => label(type, `<input type="${type}">`)),
  label('select', '<select><option>one</option><option>two</option></select>'),
  label('multiple', '<select multiple><option>one</option></select>'),
  label('textarea', '<textarea></textarea>'),
  label('datalist', '<input list="choices"><datalist id="choices"><option>one</option></datalist>'),
].join('');

test('CHROMIUM_PATH wins over what is installed', async () => {
  assert.equal((await chromium('/opt/own', () => true)).executablePath, '/opt/own');
});

test('a CHROMIUM_PATH that does not exist is refused by name', async () => {
  await assert.rejects(
    chromium('/opt/own', () => false),
    /CHROMIUM_PATH names \/opt\/own/,
  );
});

test('an installed browser is used before the packaged one', async () => {
  const { executablePath } = await chromium('', (path) => path === '/usr/bin/google-chrome');
  assert.equal(executablePath, '/usr/bin/google-chrome');
});

testUnless(
  process.platform !== 'linux' && 'the packaged browser is for Linux',
  'the packaged browser is used without any other, or by name',
  async () => {
    const { executablePath } = await chromium('', () => false);
    assert.match(executablePath, /packaged-chromium/);
    assert.equal((await chromium('packaged', () => true)).executablePath, executablePath);
  },
);

testUnless(
  process.platform !== 'linux' && 'the packaged browser is for Linux',
  'the packaged browser shows text in every form control',
  async () => {
    const { executablePath, env } = await chromium('packaged');
    const browser = await playwright.launch({ executablePath, env, args: ['--no-sandbox', '--disable-gpu'] });
    try {
      const page = await browser.newPage();
      await page.setContent(FORM_CONTROLS);
      // A font that is missing would give text no width, and a browser without any font crashes here.
      const widths = await page.locator('label span').evaluateAll((labels) => {
        return labels.map((label) => label.getBoundingClientRect().width);
      });
      assert.equal(widths.length, INPUT_TYPES.length + 4);
      for (const width of widths) assert.ok(width > 0);
      await page.locator('textarea').fill('Zażółć gęślą jaźń');
      await page.locator('select:not([multiple])').selectOption('two');
      await page.locator('[type=password]').fill('secret');
      await page.locator('[type=date]').fill('2026-11-26');
      assert.ok((await page.screenshot()).length > 0);
    } finally {
      await browser.close();
    }
  },
);
