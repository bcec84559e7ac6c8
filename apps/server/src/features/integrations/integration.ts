import type { Integration, IntegrationDetail } from '@steward/contract/integrations';
import type { Deps } from '#platform/deps.ts';
import { getIntegrationHealth } from '#workspace/integrations/integration-health.ts';
import type { ChosenChannel } from './integration-channels.store.ts';
import type { IntegrationRow } from './integrations.store.ts';
import { toIntegrationId, type Vendor } from './providers/vendors.ts';
import { DEFAULT_TEMPLATE } from './templates/template.ts';

/** The line of an integration in the list, stored or not. */
export function toIntegrationTile(
  deps: Pick<Deps, 'secrets'>,
  teamId: string,
  { vendor, row }: { vendor: Vendor; row: IntegrationRow | undefined },
): Integration {
  return {
    id: toIntegrationId(teamId, vendor.code),
    code: vendor.code,
    name: vendor.name,
    enabled: row?.state === 'on',
    ...getIntegrationHealth(deps, row),
    ...getLast(row),
  };
}

/** The settings of an integration; before anything is stored, what it would begin with. */
export function toIntegrationDetail(
  deps: Pick<Deps, 'secrets'>,
  integrationId: string,
  { row, channels }: { row: IntegrationRow | undefined; channels: ChosenChannel[] },
): IntegrationDetail {
  return {
    integration: integrationId,
    enabled: row?.state === 'on',
    domain: row?.domain ?? '',
    username: row?.username ?? '',
    authentication: row?.authentication ?? 2,
    ticket_created: row?.ticket_created ?? true,
    ticket_updated: row?.ticket_updated ?? false,
    message: Buffer.from(row?.message ?? DEFAULT_TEMPLATE, 'utf8').toString('base64'),
    channel_details: channels,
    ...getIntegrationHealth(deps, row),
    ...getLast(row),
  };
}

function getLast(row: IntegrationRow | undefined) {
  return {
    last_delivery_at: row?.last_delivery_at ?? null,
    last_error: row?.last_error ?? '',
    last_error_at: row?.last_error_at ?? null,
  };
}
