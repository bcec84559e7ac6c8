import { toIntegrationId } from '#features/integrations/providers/registry.ts';
import { newId } from '#platform/database/ids.ts';
import { base64, TOKEN_LOGIN } from '#testing/workspace/helpdesk.ts';
import { failedDelivery, recreateHelpdesk } from '#testing/workspace/integrations.ts';
import type { Matrix, MatrixRow, World } from '../actors.ts';
import { about, adminsAbout, adminsAboutPart, type Find, forAdmins, type Rest, UNKNOWN } from './rows.ts';

const message = base64('{"text":"{{ticket.title}}"}');
const toTest = ({ general }: World) => ({ message, channel_details: [{ channel_id: general.id }] });

function aboutOwn(rest?: Rest): MatrixRow[] {
  const own: Find = async ({ node, teamId }) => (await recreateHelpdesk(node, teamId)).id;
  const foreign: Find = () => toIntegrationId(newId(), 'zendesk');
  return [
    ...adminsAbout('integrationId', own, rest),
    forAdmins(about('integrationId', foreign, rest), { ...UNKNOWN, about: 'of the id of another team' }),
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
  connectIntegration: aboutOwn({ body: TOKEN_LOGIN }),
  getIntegration: aboutOwn(),
  saveIntegration: aboutOwn((world, integration) => ({
    body: { integration, ticket_created: true, ticket_updated: true, ...toTest(world) },
  })),
  disableIntegration: aboutOwn(),
  previewTemplate: aboutOwn({ body: { message } }),
  testIntegration: aboutOwn((world) => ({ body: toTest(world) })),
  listDeliveries: ofIntegration(),
  getDelivery: ofDelivery(),
  redeliver: ofDelivery(),
  redeliverFailed: ofIntegration(),
};
