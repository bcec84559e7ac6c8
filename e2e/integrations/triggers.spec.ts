import { channel } from '@steward/server/testing/workspace/content.ts';
import { expect, signIn } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { test } from './helpdesk-screen.ts';
import { connected, editor, openTriggers, previewed, problems, saved } from './triggers-screen.ts';

const SAVE = { name: 'SAVE', exact: true } as const;

test.beforeEach(async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
});

test('the template is edited with suggestions, placeholders and the position of errors', async ({
  page,
  node,
  team,
  trouble,
}) => {
  trouble.expect(/status of 400/);
  await connected({ node, team });
  await saved({ node, team }, { channels: [await channel(node, team.id, { name: 'ops' })] });
  await openTriggers(page);
  await editor(page).fill('{"text": "{{ticket.id}}: {{ ticket.titel | upcas }}"}');
  await expect(problems(page)).toHaveCount(2);
  const count = page.getByRole('status').filter({ hasText: /error|warning/ });
  await expect(count).toHaveText('2 warnings');
  await picture(page, 'triggers-problems');
  await page.getByRole('button', { name: 'Did you mean ticket.title?' }).click();
  await expect(editor(page)).toHaveValue('{"text": "{{ticket.id}}: {{ ticket.title | upcas }}"}');
  await expect(problems(page)).toHaveCount(1);
  await page.getByRole('button', { name: 'Did you mean upcase?' }).click();
  await expect(previewed(page)).toHaveText('35: THE PRINTER ON FLOOR TWO IS OUT OF PAPER');
  await expect(problems(page)).toHaveCount(0);
  await editor(page).press('ControlOrMeta+z');
  await expect(editor(page)).toHaveValue('{"text": "{{ticket.id}}: {{ ticket.title | upcas }}"}');

  await editor(page).fill('{"text": "From "}');
  await editor(page).press('End');
  await editor(page).press('ArrowLeft');
  await editor(page).press('ArrowLeft');
  await page.getByRole('button', { name: 'Placeholders' }).click();
  await page.getByRole('combobox', { name: 'Search placeholders' }).fill('requester na');
  await expect(page.getByRole('listbox').getByRole('option').first()).toContainText('ticket.requester.name');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(editor(page)).toBeFocused();
  await expect(editor(page)).toHaveValue('{"text": "From {{ticket.requester.name}}"}');
  await page.keyboard.type('!');
  await expect(editor(page)).toHaveValue('{"text": "From {{ticket.requester.name}}!"}');
  await page.keyboard.press('Tab');
  await expect(editor(page)).not.toBeFocused();
  await expect(previewed(page)).toHaveText('From Rita Requester!');

  await editor(page).fill('{\n  "text": "a",\n}');
  await expect(problems(page)).toHaveCount(1);
  await expect(problems(page)).toContainText('Not valid JSON');
  await expect(count).toHaveText('1 error');
  await expect(page.getByText('Fix the template error to see a preview.')).toBeVisible();
  const place = problems(page).getByRole('button', { name: /^Line/ });
  const words = (await place.textContent()) ?? '';
  await page.getByRole('button', SAVE).click();
  await expect(page.getByRole('form').getByText(`${words}: Not valid JSON`)).toBeVisible();
  await expect(editor(page)).toHaveValue('{\n  "text": "a",\n}');
  await place.click();
  await expect(editor(page)).toBeFocused();
  expect(await editor(page).evaluate((area: HTMLTextAreaElement) => area.selectionStart)).toBe(17);
});
