import type { Deps } from '#platform/deps.ts';
import { seal } from '#workspace/integrations/integration-health.ts';
import { beginSecretRead, endSecretRead, type IntegrationRow } from '../../../integrations.store.ts';
import { createBudget } from '../client/helpdesk.client.ts';
import { isFailure } from '../client/vendor-failure.ts';
import { getSigningSecret } from '../client/webhooks.client.ts';
import { openStoredZendesk } from '../lifecycle/vendor-resources.actions.ts';

/** Zendesk times out after twelve seconds. */
const READ_MS = 8_000;

/**
 * Reads the signing secret from Zendesk again, in case it was reset there: at most once a minute, however many deliveries
 * have an unknown signature. Undefined if it was just read, or can't be read.
 */
export async function rereadSecret(
  deps: Pick<Deps, 'db' | 'env' | 'secrets' | 'log'>,
  integration: IntegrationRow,
): Promise<string | undefined> {
  const { webhook_id: webhookId, team_id: teamId, id: integrationId } = integration;
  const zendesk = openStoredZendesk(deps, integration, createBudget(READ_MS));
  if (webhookId === null || !zendesk) return undefined;
  if (!(await beginSecretRead(deps.db, { teamId, integrationId }))) return undefined;
  try {
    const secret = await getSigningSecret(zendesk, webhookId);
    await endSecretRead(deps.db, { teamId, integrationId }, { webhookId, secret: seal(deps, secret) });
    return secret;
  } catch (error) {
    if (!isFailure(error)) throw error;
    await endSecretRead(deps.db, { teamId, integrationId }, undefined);
    deps.log.warn({ team: teamId, why: error.message }, 'integrations: reading the signing secret again failed');
    return undefined;
  }
}
