import { setTimeout as pause } from 'node:timers/promises';
import { inTransaction } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { opened } from '#workspace/integrations/integration-health.ts';
import {
  type CalledIntegration,
  findSecret,
  type IntegrationRow,
  type Place,
  recordDeliveryError,
} from '../../../integrations.store.ts';
import { rereadSecret } from './reread-secret.actions.ts';
import { hasValidSignature, isFresh, isUsableSecret, type SignedRequest } from './signature.ts';

/** Refuses what the vendor did not sign, or not just now. */
export type Verify = (integration: CalledIntegration, request: SignedRequest) => Promise<void>;

/** The vendor gives up after twelve seconds; long before that we ask it to come again. */
const PATIENCE_MS = 2_500;

const LATE = Symbol('late');
const NOT_SIGNED = 'A request came that Zendesk did not sign with the secret of our webhook; it was refused.';

/** What was read at the vendor counts for so long, in milliseconds. */
const READ_MS = 10_000;
/** While another node reads it, we look for what it found as often as this. */
const LOOK_MS = 100;

/**
 * Checks signatures. Somebody may have reset the secret at the vendor: it is read there again, once for all requests that come
 * meanwhile and rarely enough. Who cannot be judged yet is asked to come again, since the vendor repeats no request that was
 * refused.
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
    // Where the clock of this process is wrong, a delivery refused for that would be lost: the vendor repeats none.
    if (!isFresh(request.timestamp, integration.called_at)) refuse('helpdesk.bad_signature');
    const stored = opened(deps, integration.signing_secret);
    // Being connected, or sealed with another SECRET_KEY: nobody can tell yet.
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

/** The secret as it is at the vendor, read now or, where another node was first, by that one. */
async function rereadFromVendor(deps: Deps, integration: IntegrationRow, stored: string): Promise<string | undefined> {
  const place = { teamId: integration.team_id, integrationId: integration.id };
  const current = await rereadSecret(deps, integration);
  if (current === stored) await inTransaction(deps.db, (trx) => recordDeliveryError(trx, place, NOT_SIGNED));
  return current ?? waitForOtherNode(deps, place);
}

async function waitForOtherNode(deps: Deps, place: Place): Promise<string | undefined> {
  for (;;) {
    const found = await findSecret(deps.db, place);
    if (!found?.is_being_read) return opened(deps, found?.signing_secret ?? null);
    await pause(LOOK_MS, undefined, { ref: false });
  }
}

function isValidProof(secret: string, request: SignedRequest): boolean {
  return isUsableSecret(secret) && hasValidSignature(secret, request);
}
