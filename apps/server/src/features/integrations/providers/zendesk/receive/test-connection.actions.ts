import type { Deps } from '#platform/deps.ts';
import type { IntegrationRow } from '../../../integrations.store.ts';
import { createBudget } from '../client/helpdesk.client.ts';
import { type FailureKind, isFailure } from '../client/vendor-failure.ts';
import { testWebhook } from '../client/webhooks.client.ts';
import { openStoredZendesk } from '../lifecycle/vendor-resources.actions.ts';
import { CONNECTION_TEST } from './connection-test.ts';

const TEST_MS = 12_000;

/** Messages for failures whose own message is about saving. */
const UNSENT: Partial<Record<FailureKind, string>> = {
  gone: 'The webhook no longer exists in Zendesk. Save the triggers to create it again.',
  unreachable: "Zendesk couldn't be reached.",
};

/** Asks Zendesk to deliver a test request. Returns why deliveries don't arrive, or '' if they do. */
export async function testConnection(deps: Deps, row: IntegrationRow): Promise<string> {
  const zendesk = openStoredZendesk(deps, row, createBudget(TEST_MS));
  if (!zendesk) return "Enter the credentials again. They can't be decrypted with the current SECRET_KEY.";
  if (row.webhook_id === null) return 'There is no webhook in Zendesk. Save the triggers to create it.';
  try {
    return describeOutcome(await testWebhook(zendesk, row.webhook_id, CONNECTION_TEST), deps.env.publicUrl);
  } catch (error) {
    if (!isFailure(error)) throw error;
    return UNSENT[error.kind] ?? error.message;
  }
}

function describeOutcome(status: number, publicUrl: string): string {
  if (status >= 200 && status < 300) return '';
  if (status === 0) return `Zendesk couldn't reach ${publicUrl}.`;
  if (status === 401) return 'Zendesk reached this server but signs with a different secret.';
  return `Zendesk got the answer ${status} from ${publicUrl}. Another server may be answering there.`;
}
