import type { Page } from '@playwright/test';
import { settled } from '@steward/server/testing/faults/wait-for-jobs.ts';
import { base64, helpdeskCalls } from '@steward/server/testing/workspace/helpdesk.ts';
import type { HelpdeskSimulator } from '@steward/zendesk-simulator/simulator.ts';
import { sql } from 'kysely';
import { expect, type Given } from '../browser/fixtures.ts';

const TRIGGERS = '/dashboard/triggers';

export async function connected({ node, team }: Given): Promise<void> {
  const { status } = await helpdeskCalls(node, team.id, team.owner).connect();
  expect(status).toBe(200);
}

export async function saved({ node, team }: Given, form: { template?: string; channels: readonly { id: string }[] }) {
  const { template = '{"text":"{{ticket.title}}"}', channels } = form;
  const channel_details = channels.map(({ id }) => ({ channel_id: id }));
  const triggers = { ticket_created: true, ticket_updated: false, message: base64(template), channel_details };
  const { status } = await helpdeskCalls(node, team.id, team.owner).save(triggers);
  expect(status).toBe(200);
}

/** The channel is archived or reopened as if done elsewhere. */
export async function saveArchived({ node }: Given, { id }: { id: string }, isArchived: boolean): Promise<void> {
  await sql`update channels set delete_at = ${isArchived ? 5 : 0} where id = ${id}`.execute(node.db);
}

type Desk = Pick<Given, 'node'> & { helpdesk: HelpdeskSimulator };

/** Creates a ticket in Zendesk, and waits until its deliveries are processed. */
export async function ticket({ node, helpdesk }: Desk, title: string): Promise<void> {
  helpdesk.account('acme').createTicket({ title, comment: 'Help' });
  await helpdesk.settled();
  await settled(node);
}

export async function openTriggers(page: Page): Promise<void> {
  await page.goto(TRIGGERS);
  await expect(page.getByRole('checkbox', { name: 'Ticket Created' })).toBeVisible();
}

export const editor = (page: Page) => page.getByRole('textbox', { name: 'JSON body' });

export const previewed = (page: Page) => page.getByRole('figure', { name: 'Message' }).getByRole('paragraph');

export const problems = (page: Page) => page.getByRole('list', { name: 'Problems' }).getByRole('listitem');

export const deliveries = (page: Page) =>
  page
    .getByRole('table', { name: 'Deliveries' })
    .getByRole('row')
    .filter({ has: page.getByRole('cell') });
