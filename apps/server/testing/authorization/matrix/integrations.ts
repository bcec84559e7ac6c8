import { toIntegrationId } from '#features/integrations/providers/registry.ts';
import { newId } from '#platform/database/ids.ts';
import type { Sending } from '#testing/app/call.ts';
import { base64, TOKEN_LOGIN } from '#testing/workspace/helpdesk.ts';
import { failedDelivery, recreateHelpdesk } from '#testing/workspace/integrations.ts';
import type { Matrix, MatrixRow, World } from '../actors.ts';
import { adminsAbout, adminsAboutPart, type Find, forAdmins, UNKNOWN, unknownId } from './rows.ts';

const message = base64('{"text":"{{ticket.title}}"}');
const toTest = ({ general }: World) => ({ message, channel_details: [{ channel_id: general.id }] });

function aboutOwn(rest: (world: World, integrationId: string) => Sending = () => ({})): MatrixRow[] {
  const about = (find: Find) =>
    forAdmins(async (world, me) => {
      const integrationId = await find(world, me);
      return { params: { integrationId }, ...rest(world, integrationId) };
    });
  return [
    about(async ({ node, teamId }) => (await recreateHelpdesk(node, teamId)).id),
    { ...about(unknownId), ...UNKNOWN },
    { ...about(() => toIntegrationId(newId(), 'zendesk')), ...UNKNOWN, about: 'of the id of another team' },
  ];
}

const newDelivery = ({ node, teamId, general }: World) => failedDelivery(node, teamId, general);

const ofIntegration = () =>
  adminsAbout('integrationId', async (world) => {
    await newDelivery(world);
    return toIntegrationId(world.teamId, 'zendesk');
  });

const ofDelivery = () =>
  adminsAboutPart('deliveryId', async (world) => ({
    integrationId: toIntegrationId(world.teamId, 'zendesk'),
    deliveryId: await newDelivery(world),
  }));

export const integrationRows: Matrix = {
  listIntegrations: [forAdmins()],
  connectIntegration: aboutOwn(() => ({ body: TOKEN_LOGIN })),
  getIntegration: aboutOwn(),
  saveIntegration: aboutOwn((world, integration) => ({
    body: { integration, ticket_created: true, ticket_updated: true, ...toTest(world) },
  })),
  disableIntegration: aboutOwn(),
  previewTemplate: aboutOwn(() => ({ body: { message } })),
  testIntegration: aboutOwn((world) => ({ body: toTest(world) })),
  listDeliveries: ofIntegration(),
  getDelivery: ofDelivery(),
  redeliver: ofDelivery(),
  redeliverFailed: ofIntegration(),
};
