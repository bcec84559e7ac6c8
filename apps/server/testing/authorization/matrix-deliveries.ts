import type { AnyEndpoint } from '@steward/contract/api/endpoint';
import { getDelivery, listDeliveries, redeliver, redeliverFailed } from '@steward/contract/integrations/deliveries';
import { integrationIdOf } from '#features/integrations/providers/vendors.ts';
import { newId } from '#platform/database/ids.ts';
import type { Matrix, MatrixRow, World } from './actors.ts';
import { forAdmins, UNKNOWN } from './matrix-rows.ts';

const integrationOf = ({ teamId }: World) => integrationIdOf(teamId, 'zendesk');

/** Of the team's help desk, after something failed there; and of an integration that nobody knows. */
function ofIntegration(endpoint: AnyEndpoint): MatrixRow[] {
  return [
    forAdmins(endpoint, async (world) => {
      await world.freshDelivery();
      return { params: { integrationId: integrationOf(world) } };
    }),
    { ...forAdmins(endpoint, () => ({ params: { integrationId: newId() } })), ...UNKNOWN },
  ];
}

function ofDelivery(endpoint: AnyEndpoint): MatrixRow[] {
  return [
    forAdmins(endpoint, async (world) => ({
      params: { integrationId: integrationOf(world), deliveryId: await world.freshDelivery() },
    })),
    {
      ...forAdmins(endpoint, async (world) => {
        await world.freshDelivery();
        return { params: { integrationId: integrationOf(world), deliveryId: newId() } };
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
