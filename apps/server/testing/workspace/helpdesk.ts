import {
  connectIntegration,
  disableIntegration,
  getIntegration,
  saveIntegration,
} from '@steward/contract/integrations';
import { startHelpdeskSimulator } from '@steward/zendesk-simulator/simulator.ts';
import type { LoggedRequest } from '@steward/zendesk-simulator/world.ts';
import { toIntegrationId } from '#features/integrations/providers/registry.ts';
import { call } from '#testing/app/call.ts';
import { startNodes } from '#testing/app/nodes.ts';
import type { TestApp, TestAppOptions } from '#testing/app/start-app.ts';
import { findGeneralChannel } from './content.ts';
import { createTeamWithMembers } from './factories.ts';

export type HelpdeskApp = Awaited<ReturnType<typeof startHelpdeskApp>>;

/** Starts both. By default, the simulator's clock is stopped, so nothing expires on its own. */
export async function startHelpdeskApp(options: TestAppOptions = {}, speed = 0) {
  const simulator = await startHelpdeskSimulator({ speed });
  try {
    const env = { HELPDESK_URL: simulator.template, ...options.env };
    const node = await startNodes({ work: false, ...options, env });
    return {
      node,
      simulator,
      async [Symbol.asyncDispose]() {
        await node[Symbol.asyncDispose]();
        await simulator[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await simulator[Symbol.asyncDispose]();
    throw error;
  }
}

/** A login for the account `acme`: an API token of its admin. */
export const TOKEN_LOGIN = { domain: 'acme', username: 'ada@acme.example', authentication: 2, token: 'acme-token' };

export function base64(template: string): string {
  return Buffer.from(template, 'utf8').toString('base64');
}

export function helpdeskCalls(node: TestApp, teamId: string, as: { cookie: string }) {
  const id = toIntegrationId(teamId, 'zendesk');
  const sending = { as, params: { teamId, integrationId: id } };
  return {
    id,
    connect: (form: object = {}) => call(node, connectIntegration, { ...sending, body: { ...TOKEN_LOGIN, ...form } }),
    save: (form: object) => call(node, saveIntegration, { ...sending, body: { integration: id, ...form } }),
    detail: () => call(node, getIntegration, sending),
    disable: () => call(node, disableIntegration, sending),
  };
}

export type HelpdeskTeam = Awaited<ReturnType<typeof helpdeskTeam>>;

export async function helpdeskTeam(node: TestApp, displayName?: string) {
  const team = await createTeamWithMembers(node, displayName);
  return { team, ...helpdeskCalls(node, team.id, team.admin) };
}

/** A connected team with both triggers and the channel general, at a freshly reset simulator. */
export async function createTeamWithTriggers({ node, simulator }: HelpdeskApp, template: string) {
  simulator.reset();
  const desk = await helpdeskTeam(node, 'Acme');
  await desk.connect();
  const { id } = await findGeneralChannel(node, desk.team.id);
  const channel_details = [{ channel_id: id }];
  await desk.save({ ticket_created: true, ticket_updated: true, message: base64(template), channel_details });
  simulator.requests.length = 0;
  return desk;
}

/** Calls as short lines: `POST /api/v2/webhooks`. */
export function lines(requests: readonly Pick<LoggedRequest, 'method' | 'path'>[]): string[] {
  return requests.map(({ method, path }) => `${method} ${path}`);
}

export async function storedIntegrations(node: TestApp, teamId: string): Promise<Record<string, unknown>[]> {
  return node.db.selectFrom('integrations').selectAll().where('team_id', '=', teamId).execute();
}
