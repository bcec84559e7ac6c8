import type { Integration, IntegrationDetail } from '@steward/contract/integrations';
import type { Deps } from '#platform/deps.ts';
import { getIntegrationHealth, opened } from '#workspace/integrations/integration-health.ts';
import type { ChosenChannel } from './integration-channels.store.ts';
import type { IntegrationRow } from './integrations.store.ts';
import { toHookUrl } from './providers/hook-url.ts';
import type { Provider } from './providers/provider.ts';
import { toIntegrationId } from './providers/registry.ts';

export function toIntegrationTile(
  deps: Pick<Deps, 'secrets'>,
  teamId: string,
  { provider, row }: { provider: Provider; row: IntegrationRow | undefined },
): Integration {
  return {
    id: toIntegrationId(teamId, provider.code),
    code: provider.code,
    name: provider.name,
    enabled: row?.state === 'on',
    ...getIntegrationHealth(deps, row),
    ...getLast(row),
  };
}

/** The settings of an integration; the defaults before it is connected. */
export function toIntegrationDetail(
  deps: Pick<Deps, 'secrets' | 'env'>,
  { teamId, provider }: { teamId: string; provider: Provider },
  { row, channels }: { row: IntegrationRow | undefined; channels: ChosenChannel[] },
): IntegrationDetail {
  return {
    integration: toIntegrationId(teamId, provider.code),
    code: provider.code,
    name: provider.name,
    credential_form: provider.credentialForm,
    has_events: provider.hasEvents,
    hook_url: row?.state === 'on' && provider.isSetUpByHand ? getHookUrl(deps, row) : '',
    ...provider.getVerifications(deps, row),
    enabled: row?.state === 'on',
    domain: row?.domain ?? '',
    username: row?.username ?? '',
    authentication: row?.authentication ?? 2,
    ticket_created: row?.ticket_created ?? true,
    ticket_updated: row?.ticket_updated ?? false,
    message: Buffer.from(row?.message ?? provider.defaultTemplate, 'utf8').toString('base64'),
    channel_details: channels,
    ...getIntegrationHealth(deps, row),
    ...getLast(row),
  };
}

/** The URL that an admin enters at the service; '' if its key can't be decrypted. */
function getHookUrl(deps: Pick<Deps, 'secrets' | 'env'>, { code, path_key }: IntegrationRow): string {
  const pathKey = opened(deps, path_key);
  return pathKey === undefined ? '' : toHookUrl(deps.env, code, pathKey);
}

function getLast(row: IntegrationRow | undefined) {
  return {
    last_delivery_at: row?.last_delivery_at ?? null,
    last_error: row?.last_error ?? '',
    last_error_at: row?.last_error_at ?? null,
    refused_count: row?.refused_count ?? 0,
    refused_reason: row?.refused_reason ?? '',
    refused_at: row?.refused_at ?? null,
  };
}
