import type { AnyEndpoint } from '@steward/contract/api/endpoint';
import { getDelivery, listDeliveries, redeliver, redeliverFailed } from '@steward/contract/integrations/deliveries';
import { toIntegrationId } from '#features/integrations/providers/registry.ts';
import { newId } from '#platform/database/ids.ts';
import type { Matrix, MatrixRow, World } from './actors.ts';
import { forAdmins, UNKNOWN } from './matrix-rows.ts';

const getIntegrationId = ({ teamId }: World) => toIntegrationId(teamId, 'zendesk');

/** Of the team's help desk, after something failed there; and of an integration that nobody knows. */
function ofIntegration(endpoint: AnyEndpoint): MatrixRow[] {
  return [
    forAdmins(endpoint, async (world) => {
      await world.createFreshDelivery();
      return { params: { integrationId: getIntegrationId(world) } };
    }),
    { ...forAdmins(endpoint, () => ({ params: { integrationId: newId() } })), ...UNKNOWN },
  ];
}

function ofDelivery(endpoint: AnyEndpoint): MatrixRow[] {
  return [
    forAdmins(endpoint, async (world) => ({
      params: { integrationId: getIntegrationId(world), deliveryId: await world.createFreshDelivery() },
    })),
    {
      ...forAdmins(endpoint, async (world) => {
        await world.createFreshDelivery();
        return { params: { integrationId: getIntegrationId(world), deliveryId: newId() } };
      }),
      ...UNKNOWN,
    },
  ];
}

/** Who may look what became of deliveries, and have them posted again. */
export const deliveryRows: Matrix = {
  listDeliveries: ofIntegration(listDeliveries),
  getDelivery: ofDelivery(getDelivery),
  redeliver: ofDelivery(redeliver),
  redeliverFailed: ofIntegration(redeliverFailed),
};
