import { toIntegrationId } from '#features/integrations/providers/registry.ts';
import { newId } from '#platform/database/ids.ts';
import type { Sending } from '#testing/app/call.ts';
import { base64, TOKEN_LOGIN } from '#testing/workspace/helpdesk.ts';
import type { Matrix, MatrixRow, World } from '../actors.ts';
import { forAdmins, UNKNOWN } from './rows.ts';

const message = base64('{"text":"{{ticket.title}}"}');

type Rest = (world: World, integrationId: string) => Sending | Promise<Sending>;

function aboutOwn(rest: Rest = () => ({})): MatrixRow[] {
  const about = (getId: (world: World) => string | Promise<string>) =>
    forAdmins(async (world) => {
      const integrationId = await getId(world);
      const { params, ...sending } = await rest(world, integrationId);
      return { params: { integrationId, ...params }, ...sending };
    });
  return [
    about((world) => world.recreateHelpdesk()),
    { ...about(() => newId()), ...UNKNOWN },
    { ...about(() => toIntegrationId(newId(), 'zendesk')), ...UNKNOWN, about: 'of the id of another team' },
  ];
}

export const integrationRows: Matrix = {
  listIntegrations: [forAdmins()],
  connectIntegration: aboutOwn(() => ({ body: TOKEN_LOGIN })),
  getIntegration: aboutOwn(),
  saveIntegration: aboutOwn((_world, integration) => ({ body: { integration } })),
  disableIntegration: aboutOwn(),
  previewTemplate: aboutOwn(() => ({ body: { message } })),
  testIntegration: aboutOwn((world) => ({
    body: { message, channel_details: [{ channel_id: world.generalId }] },
  })),
};
