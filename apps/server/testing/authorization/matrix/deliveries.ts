import type { AnyEndpoint } from '@steward/contract/api/endpoint';
import { getDelivery, listDeliveries, redeliver, redeliverFailed } from '@steward/contract/integrations/deliveries';
import { toIntegrationId } from '#features/integrations/providers/registry.ts';
import { newId } from '#platform/database/ids.ts';
import type { Matrix, MatrixRow, World } from '../actors.ts';
import { forAdmins, UNKNOWN } from './rows.ts';

const getIntegrationId = ({ teamId }: World) => toIntegrationId(teamId, 'zendesk');

function integrationCalls(endpoint: AnyEndpoint): MatrixRow[] {
  return [
    forAdmins(endpoint, async (world) => {
      await world.createFreshDelivery();
      return { params: { integrationId: getIntegrationId(world) } };
    }),
    { ...forAdmins(endpoint, () => ({ params: { integrationId: newId() } })), ...UNKNOWN },
  ];
}

function deliveryCalls(endpoint: AnyEndpoint): MatrixRow[] {
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

export const deliveryRows: Matrix = {
  listDeliveries: integrationCalls(listDeliveries),
  getDelivery: deliveryCalls(getDelivery),
  redeliver: deliveryCalls(redeliver),
  redeliverFailed: integrationCalls(redeliverFailed),
};
