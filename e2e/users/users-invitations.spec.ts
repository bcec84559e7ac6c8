import type { Page } from '@playwright/test';
import { inTransaction } from '@steward/server/src/platform/database/database.ts';
import { newId } from '@steward/server/src/platform/database/ids.ts';
import { acceptInvitation } from '@steward/server/src/workspace/access/memberships/invitations.actions.ts';
import { addMembers, person, type TestPerson } from '@steward/server/testing/workspace/factories.ts';
import { expect, type Given, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { chooseAction, holdCalls, people, personRow } from './users-screen.ts';

const AN_HOUR = 3_600_000;

interface MailOptions {
  state?: 'waiting' | 'sent' | 'failed';
  error?: string;
  at?: number;
}

/** Records the delivery state like the email worker. */
async function recordMail({ node, team }: Given, to: TestPerson, options: MailOptions = {}): Promise<void> {
  const { state = 'failed', error = state === 'failed' ? '550 no such user here' : '', at = Date.now() } = options;
  const about = { team_id: team.id, person_id: to.id, kind: 'users.invitation', recipient: to.email };
  const timestamps = { created_at: new Date(at), ended_at: state === 'waiting' ? null : new Date(at) };
  await node.db
    .insertInto('mails')
    .values({ id: newId(), ...about, state, attempts: 1, error, ...timestamps } as never)
    .execute();
}

/** The invitation is accepted with a new account, as if the invitee had just followed the link. */
async function accept({ node, team }: Given, { email }: TestPerson): Promise<void> {
  const { id: personId } = await person(node, { email });
  await inTransaction(node.db, (trx) => acceptInvitation(trx, { teamId: team.id, personId, email }));
}

function invite({ node, team }: Given, first_name = 'Pia'): Promise<TestPerson> {
  return person(node, { team: team.id, pending: true, first_name, last_name: 'Pending' });
}

const notice = (page: Page) => page.getByText(/invitations? couldn't be delivered/);
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });

test.beforeEach(async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
});

test('an invitation can be resent from a dialog that shows its status', async ({ page, node, team }) => {
  const pia = await invite({ node, team });
  await recordMail({ node, team }, pia, { state: 'sent', at: Date.now() - 3 * AN_HOUR });
  await page.goto('/users/users');
  await page.getByRole('button', { name: 'Actions for Pia Pending' }).click();
  await expect(page.getByRole('menuitem')).toHaveText([
    'Edit',
    'Resend invitation',
    'Cancel invitation',
    /^Revoke all sessions/,
    /^Send password reset/,
  ]);
  await page.getByRole('menuitem', { name: 'Resend invitation' }).click();
  const question = dialog(page, 'Resend invitation');
  await expect(question).toContainText(/The last invitation was sent on \w+ \d+/);
  await expect(question).toContainText("There's no valid invitation link.");
  await expect(question).toContainText(`We'll email Pia Pending (${pia.email}) a new link, valid for 48 hours.`);
  await picture(page, 'users-invite-again');
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  expect(node.inbox.waiting(pia.email)).toEqual([]);
  await question.getByRole('button', { name: 'Send again' }).click();
  await expect(page.getByRole('status').getByText('Invitation sent again')).toBeVisible();
  await expect(question).toBeHidden();
  await expect(page.getByRole('button', { name: 'Actions for Pia Pending' })).toBeFocused();
  expect((await node.inbox.next(pia.email)).text).toContain('/signup_confirm?token=');
  await chooseAction(page, 'Pia Pending', 'Resend invitation');
  await expect(question).toContainText(/The link expires on \w+ \d+/);
});

test('the mail server’s error is shown as plain text', async ({ page, node, team }) => {
  const pia = await invite({ node, team });
  await recordMail({ node, team }, pia, { error: '550 <b>no such user</b>' });
  await page.goto('/users/users');
  await chooseAction(page, 'Pia Pending', 'Resend invitation');
  const question = dialog(page, 'Resend invitation');
  await expect(question).toContainText("couldn't be delivered. The mail server said: “550 <b>no such user</b>”");
});

test('canceling an invitation asks first, then removes the row', async ({ page, node, team }) => {
  const ann = await invite({ node, team }, 'Ann');
  await addMembers(node, team.id, 30);
  await page.goto('/users/users');
  await expect(personRow(page, 'Person 0003')).toBeVisible();
  const before = await personRow(page, 'Person 0003').boundingBox();
  await chooseAction(page, 'Ann Pending', 'Cancel invitation');
  const question = dialog(page, 'Cancel invitation');
  await expect(question).toContainText('Cancel this invitation?');
  await expect(question).toContainText(`Ann Pending (${ann.email}) will be removed from the list`);
  await expect(question).toContainText('You can invite them again later.');
  await expect(question.getByRole('button', { name: 'Keep invitation' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(question).toBeHidden();
  await expect(personRow(page, 'Ann Pending')).toBeVisible();
  await chooseAction(page, 'Ann Pending', 'Cancel invitation');
  await question.getByRole('button', { name: 'Cancel invitation' }).click();
  await expect(page.getByRole('status').getByText('Invitation canceled')).toBeVisible();
  await expect(personRow(page, 'Ann Pending')).toHaveCount(0);
  // The rows below have moved up by one row, and the scroll position is unchanged.
  const after = await personRow(page, 'Person 0003').boundingBox();
  expect((before?.y ?? 0) - (after?.y ?? 0)).toBe(before?.height);
  expect(await node.db.selectFrom('people').select('id').where('id', '=', ann.id).execute()).toEqual([]);
});

const SHOWN = {
  'Resend invitation': 'The status of the last invitation is unknown',
  'Cancel invitation': 'Pia Pending',
};
for (const [action, text] of Object.entries(SHOWN)) {
  test(`${action}: a user who has accepted since then isn't touched, and the list is updated`, async ({
    page,
    node,
    team,
    trouble,
  }) => {
    trouble.expect(/status of 404/);
    const pia = await invite({ node, team });
    await page.goto('/users/users');
    await chooseAction(page, 'Pia Pending', action);
    await expect(dialog(page, action)).toContainText(text);
    await accept({ node, team }, pia);
    await page.getByRole('button', { name: /Send again|^Cancel invitation/ }).click();
    await expect(page.getByRole('alert')).toContainText('This invitation was already accepted or canceled.');
    await expect(personRow(page, 'Pia Pending')).toHaveCount(0);
    await expect(personRow(page, 'Some Body')).toContainText('Team User');
  });
}

test('an invitation canceled by someone else leaves the list when its dialog opens', async ({
  page,
  node,
  team,
  trouble,
}) => {
  trouble.expect(/status of 404/);
  const pia = await invite({ node, team });
  await page.goto('/users/users');
  await expect(personRow(page, 'Pia Pending')).toBeVisible();
  await node.db.deleteFrom('memberships').where('person_id', '=', pia.id).execute();
  await chooseAction(page, 'Pia Pending', 'Resend invitation');
  const question = dialog(page, 'Resend invitation');
  await expect(question).toContainText('This invitation was already accepted or canceled.');
  await expect(question.getByRole('button')).toHaveText(['Close']);
  await question.getByRole('button', { name: 'Close' }).click();
  await expect(people(page)).toHaveCount(1);
});

test.describe('undelivered invitations', () => {
  test('are reported above the list, and each can be resent or canceled', async ({ page, node, team }) => {
    const pia = await invite({ node, team });
    const max = await person(node, { team: team.id, pending: true, first_name: '', last_name: '' });
    await recordMail({ node, team }, pia, { at: Date.now() - AN_HOUR });
    await recordMail({ node, team }, max);
    const release = await holdCalls(page, '**/admin/teams/*/users');
    await Promise.all([page.waitForResponse('**/failed_invitations'), page.goto('/users/users')]);
    release();
    await expect(notice(page)).toHaveText("2 invitations couldn't be delivered.");
    const top = await people(page).first().boundingBox();
    await page.getByRole('button', { name: 'Show undelivered invitations' }).click();
    const list = dialog(page, 'Undelivered invitations');
    await expect(list.getByRole('listitem')).toHaveCount(2);
    await expect(list.getByRole('listitem').first()).toContainText(max.email);
    await expect(list.getByRole('listitem').first()).toContainText('“550 no such user here”');

    await list.getByRole('button', { name: `Resend invitation to ${pia.email}` }).click();
    await dialog(page, 'Resend invitation').getByRole('button', { name: 'Send again' }).click();
    await expect(list.getByRole('listitem')).toHaveCount(1);
    await expect(list.getByRole('button', { name: 'Close' })).toBeFocused();
    await list.getByRole('button', { name: `Cancel invitation to ${max.email}` }).click();
    await dialog(page, 'Cancel invitation').getByRole('button', { name: 'Cancel invitation' }).click();
    await expect(list).toContainText('All invitations have been delivered.');
    await page.keyboard.press('Escape');
    await expect(list).toBeHidden();
    await expect(personRow(page, max.email)).toHaveCount(0);
    // The notice stays, so that the rows don't move when its last invitation is gone.
    await expect(page.getByText('All invitations have been delivered.')).toBeVisible();
    expect(await people(page).first().boundingBox()).toEqual(top);
    await page.reload();
    await expect(people(page)).toHaveCount(2);
    await expect(page.getByText(/undelivered|couldn't be delivered/)).toHaveCount(0);
  });

  test('rows that are already shown stay where they are', async ({ page, node, team }) => {
    await recordMail({ node, team }, await invite({ node, team }));
    const release = await holdCalls(page, '**/failed_invitations');
    await page.goto('/users/users');
    const top = await personRow(page, 'Olivia Owner').boundingBox();
    const answer = page.waitForResponse('**/failed_invitations');
    release();
    await (await answer).finished();
    await page.getByRole('link', { name: 'Home' }).focus();
    expect(await personRow(page, 'Olivia Owner').boundingBox()).toEqual(top);
    await expect(notice(page)).toHaveCount(0);
    // The notice appears with the rows or not at all: on a busy machine the page may still be processing the response.
    await expect(async () => {
      await page.getByRole('link', { name: 'Home' }).click();
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Manage Users' }).click();
      await expect(notice(page)).toHaveText("1 invitation couldn't be delivered.", { timeout: 1_000 });
    }).toPass();
  });

  test('are fetched once, and a failure is silent', async ({ page, node, team, trouble }) => {
    trouble.expect(/status of 500/);
    await invite({ node, team });
    const refusal = { status_code: 500, message: 'Too much.', id: 'server.error', request_id: 'x' };
    let requests = 0;
    await page.route('**/failed_invitations', (route) => {
      requests += 1;
      return route.fulfill({ status: 500, json: refusal });
    });
    await page.goto('/users/users');
    await expect(personRow(page, 'Pia Pending')).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(0);
    await expect(page.getByText('Too much.')).toHaveCount(0);
    expect(requests).toBe(1);
  });
});
