import type { Locator, Page } from '@playwright/test';
import { connectIntegration, saveIntegration } from '@steward/contract/integrations';
import { call } from '@steward/server/testing/app/call.ts';
import { settled } from '@steward/server/testing/faults/wait-for-jobs.ts';
import { channel } from '@steward/server/testing/workspace/content.ts';
import { base64, TOKEN_LOGIN } from '@steward/server/testing/workspace/helpdesk.ts';
import type { HelpdeskSimulator } from '@steward/zendesk-simulator/simulator.ts';
import { expect, type Given } from '../browser/fixtures.ts';
import { getZendeskId } from './helpdesk-screen.ts';

export const TRIGGERS = '/dashboard/triggers';

interface Desk extends Given {
  helpdesk: HelpdeskSimulator;
}

/** Connects the team to the account acme, like the credential form. */
export async function connected({ node, team }: Given): Promise<void> {
  const sending = { as: team.owner, params: getParams({ node, team }) };
  const { status } = await call(node, connectIntegration, { ...sending, body: TOKEN_LOGIN });
  expect(status).toBe(200);
}

/** Saves triggers, like this screen. */
export async function saved({ node, team }: Given, form: { template?: string; channels: readonly { id: string }[] }) {
  const { template = '{"text":"{{ticket.title}}"}', channels } = form;
  const params = getParams({ node, team });
  const channel_details = channels.map(({ id }) => ({ channel_id: id }));
  const body = {
    integration: params.integrationId,
    ticket_created: true,
    ticket_updated: false,
    message: base64(template),
    channel_details,
  };
  const { status } = await call(node, saveIntegration, { as: team.owner, params, body });
  expect(status).toBe(200);
}

function getParams({ team }: Given) {
  return { teamId: team.id, integrationId: getZendeskId(team) };
}

export function makeChannel({ node, team }: Given, name: string) {
  return channel(node, team.id, { name });
}

/** The channel is archived or reopened as if done elsewhere. */
export async function saveArchived({ node }: Given, { id }: { id: string }, isArchived: boolean): Promise<void> {
  await node.db
    .updateTable('channels')
    .set({ delete_at: isArchived ? 5 : 0 })
    .where('id', '=', id)
    .execute();
}

/** Creates a ticket in Zendesk, and waits until its deliveries are processed. */
export async function ticket({ node, helpdesk }: Omit<Desk, 'team'>, title: string): Promise<void> {
  helpdesk.account('acme').createTicket({ title, comment: 'Help' });
  await helpdesk.settled();
  await settled(node);
}

/** Opens the screen and waits for its form. */
export async function openTriggers(page: Page): Promise<void> {
  await page.goto(TRIGGERS);
  await expect(page.getByRole('checkbox', { name: 'Ticket Created' })).toBeVisible();
}

export function editor(page: Page): Locator {
  return page.getByRole('textbox', { name: 'JSON body' });
}

export function previewed(page: Page): Locator {
  return page.getByRole('figure', { name: 'Message' }).getByRole('paragraph');
}

export function problems(page: Page): Locator {
  return page.getByRole('list', { name: 'Problems' }).getByRole('listitem');
}

export function deliveries(page: Page): Locator {
  return page
    .getByRole('table', { name: 'Deliveries' })
    .getByRole('row')
    .filter({ has: page.getByRole('cell') });
}
