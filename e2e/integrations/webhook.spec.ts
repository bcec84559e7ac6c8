import { createHmac } from 'node:crypto';
import { channel } from '@steward/server/testing/workspace/content.ts';
import { listChannelTexts } from '@steward/server/testing/workspace/integrations.ts';
import { signIn } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { expect, INTEGRATIONS, test } from './helpdesk-screen.ts';

test('an incoming webhook with a signed time is set up by keyboard, and a request from the service is posted', async ({
  page,
  node,
  team,
}) => {
  const room = await channel(node, team.id, { name: 'builds' });
  await signIn(page, { node }, team.owner);
  await page.goto(INTEGRATIONS);
  await page.getByRole('link', { name: 'Incoming webhook' }).click();
  await page.getByRole('radio', { name: 'Bearer token' }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('radio', { name: 'HMAC-SHA256 signature' })).toBeChecked();
  await page.getByRole('textbox', { name: 'Header', exact: true }).fill('X-Signature');
  await page.getByRole('textbox', { name: 'Timestamp header' }).fill('X-Time');
  await page.getByRole('combobox', { name: 'Between the time and the body' }).selectOption('A colon');
  await page.getByRole('textbox', { name: 'Tolerance in seconds' }).fill('60');
  await picture(page, 'webhook-form');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Signs each request in the header x-signature, with the time in x-time')).toBeVisible();
  const url = await page.getByLabel('Address', { exact: true }).inputValue();
  const secret = await page.getByLabel('Secret', { exact: true }).inputValue();
  await page.getByRole('link', { name: 'Set up triggers' }).click();
  await page.getByRole('combobox', { name: 'Channels' }).fill(room.name);
  await page.getByRole('option', { name: room.name }).click();
  await page.getByRole('textbox', { name: 'Message template' }).fill('Build {{ number }} {{ status }}');
  await page.getByRole('button', { name: 'SAVE' }).click();
  await expect(page.getByText('Updated Successfully')).toBeVisible();
  await page.reload();
  await expect(page.getByText(secret)).toHaveCount(0);
  const body = '{"number":7,"status":"failed"}';
  const post = (seconds: number) => {
    const time = String(Math.floor(Date.now() / 1000) - seconds);
    const signature = createHmac('sha256', secret).update(`${time}:${body}`).digest('hex');
    const headers = { 'content-type': 'application/json', 'x-signature': signature, 'x-time': time };
    return page.request.post(new URL(url).pathname, { headers, data: body });
  };
  expect((await post(0)).status()).toBe(200);
  expect((await post(120)).status()).toBe(401);
  await expect.poll(() => listChannelTexts(node, room)).toEqual(['Build 7 failed']);

  // A sender with a secret of its own is asked for it, and refused calls are on its tile.
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Integrations' }).click();
  await page.getByRole('link', { name: 'Sentry' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  const address = await page.getByLabel('Address', { exact: true }).inputValue();
  await expect(page.getByLabel('Secret', { exact: true })).toHaveCount(0);
  const refused = await page.request.post(new URL(address).pathname, { data: { action: 'created' } });
  expect(refused.status()).toBe(401);
  await page.goto(INTEGRATIONS);
  const tile = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Sentry' }) });
  await expect(tile).toContainText('Enter the secret that the service shows');
  await expect(tile).toContainText("Refused calls: 1. The sender's secret hasn't been entered yet.");
  await picture(page, 'webhook-tile');
  await tile.getByRole('link', { name: 'Sentry' }).click();
  await page.getByRole('button', { name: 'UPDATE CREDENTIAL' }).click();
  await page.getByRole('textbox', { name: 'Secret' }).fill('0123456789abcdef0123456789abcdef');
  await picture(page, 'webhook-secret');
  await page.getByRole('button', { name: 'Update', exact: true }).click();
  await expect(page.getByText('Updated Successfully')).toBeVisible();
  await expect(page.getByText('Enter the secret that the service shows')).toHaveCount(0);
});
