import { toIntegrationId } from '#features/integrations/providers/registry.ts';
import { newId } from '#platform/database/ids.ts';
import type { Matrix, MatrixRow, World } from '../actors.ts';
import { forAdmins, UNKNOWN } from './rows.ts';

const getIntegrationId = ({ teamId }: World) => toIntegrationId(teamId, 'zendesk');

function integrationCalls(): MatrixRow[] {
  return [
    forAdmins(async (world) => {
      await world.createFreshDelivery();
      return { params: { integrationId: getIntegrationId(world) } };
    }),
    forAdmins(() => ({ params: { integrationId: newId() } }), UNKNOWN),
  ];
}

function deliveryCalls(): MatrixRow[] {
  return [
    forAdmins(async (world) => ({
      params: { integrationId: getIntegrationId(world), deliveryId: await world.createFreshDelivery() },
    })),
    forAdmins(async (world) => {
      await world.createFreshDelivery();
      return { params: { integrationId: getIntegrationId(world), deliveryId: newId() } };
    }, UNKNOWN),
  ];
}

export const deliveryRows: Matrix = {
  listDeliveries: integrationCalls(),
  getDelivery: deliveryCalls(),
  redeliver: deliveryCalls(),
  redeliverFailed: integrationCalls(),
};
