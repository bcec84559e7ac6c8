import type { Locator, Page } from '@playwright/test';
import { type Entry, listEntries } from '@steward/contract/directory';
import { call } from '@steward/server/testing/app/call.ts';
import { expect, type Given, signIn } from '../browser/fixtures.ts';

/** Text is written as UTF-8. */
type Chosen = { name: string; content: string | Buffer };

export async function openUpload(page: Page, { node, team }: Given): Promise<Locator> {
  await signIn(page, { node }, team.owner);
  await page.goto('/users/company_directory');
  return reopenUpload(page);
}

export async function reopenUpload(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Upload CSV' }).click();
  await expect(uploadDialog(page).getByRole('heading', { name: 'Choose a file' })).toBeFocused();
  return uploadDialog(page);
}

/** The same dialog imports entries and users. */
export const uploadDialog = (page: Page) => page.getByRole('dialog', { name: /^(Upload|Import) CSV$/ });

export async function chooseFile(page: Page, { name, content }: Chosen): Promise<void> {
  const fileChooser = page.waitForEvent('filechooser');
  await uploadDialog(page).getByRole('button', { name: 'Choose a CSV file' }).click();
  await (await fileChooser).setFiles({ name, mimeType: '', buffer: Buffer.from(content) });
}

export async function previewFile(page: Page, file: Chosen): Promise<void> {
  await chooseFile(page, file);
  await expect(uploadDialog(page).getByRole('heading', { name: 'Review changes' })).toBeFocused();
}

export async function upload(page: Page, result: string): Promise<void> {
  await uploadDialog(page)
    .getByRole('button', { name: /^(Upload|Import) \d/ })
    .click();
  await expect(uploadDialog(page).getByRole('heading', { name: result })).toBeFocused();
}

/** The numbers are in the order new, changed, unchanged, wrong. */
export async function tileCounts(page: Page): Promise<string[]> {
  const tiles = uploadDialog(page).getByRole('group', { name: 'Show the rows that are' }).getByRole('button');
  return (await tiles.allInnerTexts()).map((text) => text.replace(/\s+/, ' '));
}

/** Returns the whole directory as the API lists it, from a key on. */
export async function storedEntries({ node, team }: Given, last_key = ''): Promise<Entry[]> {
  const query = { limit: '2000', ...(last_key && { last_key }) };
  const { body } = await call(node, listEntries, { as: team.owner, params: { teamId: team.id }, query });
  const rest = body.last_key === null ? [] : await storedEntries({ node, team }, body.last_key);
  return [...body.records, ...rest];
}
