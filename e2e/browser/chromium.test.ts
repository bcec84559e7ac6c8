import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chromium as playwright } from '@playwright/test';
import { chromium } from './chromium.ts';

test('CHROMIUM_PATH wins over what is installed', async () => {
  assert.equal((await chromium('/opt/own', () => true)).executablePath, '/opt/own');
});

test('a CHROMIUM_PATH that leads nowhere is refused by name', async () => {
  await assert.rejects(
    chromium('/opt/own', () => false),
    /CHROMIUM_PATH names \/opt\/own/,
  );
});

test('an installed browser is used before the packaged one', async () => {
  const { executablePath } = await chromium('', (path) => path === '/usr/bin/google-chrome');
  assert.equal(executablePath, '/usr/bin/google-chrome');
});

test('on a machine without any browser the packaged one runs', { skip: process.platform !== 'linux' }, async () => {
  const { executablePath, env } = await chromium('', () => false);
  const browser = await playwright.launch({ executablePath, env, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage();
    await page.setContent('<h1>It runs</h1>');
    assert.equal(await page.getByRole('heading').textContent(), 'It runs');
  } finally {
    await browser.close();
  }
});
