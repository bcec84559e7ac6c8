import { setTimeout as pause } from 'node:timers/promises';
import { inTransaction } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { opened, seal } from '#workspace/integrations/integration-health.ts';
import {
  beginSecretRead,
  type CalledIntegration,
  endSecretRead,
  findSecret,
  type IntegrationKey,
  type IntegrationRow,
  recordDeliveryError,
} from '../../../integrations.store.ts';
import { createBudget } from '../client/helpdesk.client.ts';
import { isFailure } from '../client/vendor-failure.ts';
import { getSigningSecret } from '../client/webhooks.client.ts';
import { openStoredZendesk } from '../lifecycle/vendor-resources.actions.ts';
import { hasValidSignature, isFresh, isUsableSecret, type SignedRequest } from './signature.ts';

/** Refuses a request that isn't signed by Zendesk, or isn't recent. */
export type Verify = (integration: CalledIntegration, request: SignedRequest) => Promise<void>;

/** Zendesk times out after twelve seconds; long before that we ask it to retry. */
const PATIENCE_MS = 2_500;

const LATE = Symbol('late');
const NOT_SIGNED = "A request was refused because it wasn't signed with the webhook's secret.";

/** Lifetime of a secret read from Zendesk, in milliseconds. */
const READ_MS = 10_000;
/** Interval for checking whether another node has finished reading the secret. */
const POLL_MS = 100;

/**
 * Checks signatures. If one doesn't match, the secret may have been reset in Zendesk: it is read again, once for all waiting
 * requests, with a rate limit. While that is pending, requests get 503, since Zendesk doesn't retry refused ones.
 */
export function createVerifier(deps: Deps): Verify {
  const reading = new Map<string, Promise<string | undefined>>();
  const getCurrentSecret = (integration: IntegrationRow, stored: string): Promise<string | undefined> => {
    const begun = reading.get(integration.id);
    if (begun !== undefined) return begun;
    const begins = rereadFromVendor(deps, integration, stored).finally(() => {
      setTimeout(() => reading.delete(integration.id), READ_MS).unref();
    });
    reading.set(integration.id, begins);
    return begins;
  };
  return async (integration, request) => {
    // By the database's clock: a delivery refused because of a wrong local clock would be lost.
    if (!isFresh(request.timestamp, integration.called_at)) refuse('helpdesk.bad_signature');
    const stored = opened(deps, integration.signing_secret);
    // Still connecting, or sealed with another SECRET_KEY.
    if (stored === undefined) refuse('server.unavailable');
    if (isValidProof(stored, request)) return;
    const current = await Promise.race([
      getCurrentSecret(integration, stored),
      pause(PATIENCE_MS, LATE, { ref: false }),
    ]);
    if (current === LATE) refuse('server.unavailable');
    if (current === undefined || !isValidProof(current, request)) refuse('helpdesk.bad_signature');
  };
}

/** The secret as stored in Zendesk, read by this node or by another one. */
async function rereadFromVendor(deps: Deps, integration: IntegrationRow, stored: string): Promise<string | undefined> {
  const place = { teamId: integration.team_id, integrationId: integration.id };
  const current = await rereadSecret(deps, integration);
  if (current === stored) await inTransaction(deps.db, (trx) => recordDeliveryError(trx, place, NOT_SIGNED));
  return current ?? waitForOtherNode(deps, place);
}

async function waitForOtherNode(deps: Deps, place: IntegrationKey): Promise<string | undefined> {
  for (;;) {
    const found = await findSecret(deps.db, place);
    if (!found?.is_being_read) return opened(deps, found?.signing_secret ?? null);
    await pause(POLL_MS, undefined, { ref: false });
  }
}

function isValidProof(secret: string, request: SignedRequest): boolean {
  return isUsableSecret(secret) && hasValidSignature(secret, request);
}

/** Zendesk times out after twelve seconds. */
const REREAD_TIMEOUT_MS = 8_000;

/**
 * Reads the signing secret from Zendesk again, in case it was reset there: at most once a minute, however many deliveries
 * have an unknown signature. Undefined if it was just read, or can't be read.
 */
export async function rereadSecret(
  deps: Pick<Deps, 'db' | 'env' | 'secrets' | 'log'>,
  integration: IntegrationRow,
): Promise<string | undefined> {
  const { webhook_id: webhookId, team_id: teamId, id: integrationId } = integration;
  const zendesk = openStoredZendesk(deps, integration, createBudget(REREAD_TIMEOUT_MS));
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
