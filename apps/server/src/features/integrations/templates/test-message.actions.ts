import type { Answer } from '@steward/contract/api/endpoint';
import type { TriggerChannel, testIntegration } from '@steward/contract/integrations';
import type { z } from 'zod';
import { inTransaction } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import type { Limit } from '#platform/security/throttle.ts';
import { addAuditEvent } from '#workspace/audit/audit.store.ts';
import type { Change } from '../connection/lease.actions.ts';
import { checkedChannels } from '../connection/save.actions.ts';
import { postMessage } from '../deliveries/post-message.actions.ts';
import { CONNECTION_TEST, toChatText } from '../hook/chat-text.rules.ts';
import { findIntegration, type IntegrationRow } from '../integrations.store.ts';
import { createBudget } from '../providers/zendesk/client/helpdesk.client.ts';
import { type FailureKind, isFailure } from '../providers/zendesk/client/vendor-failure.ts';
import { testWebhook } from '../providers/zendesk/client/webhooks.client.ts';
import { openStoredZendesk } from '../providers/zendesk/lifecycle/vendor-resources.actions.ts';
import { toPlainText } from './escape-markup.ts';
import { checkTemplate, toRefusal } from './template.ts';

const TESTS: Limit = { name: 'integration-tests', tries: 10, seconds: 60 };
const VENDOR_MS = 12_000;

interface Wishes {
  message: string;
  channel_details: z.output<typeof TriggerChannel>[];
}

type Result = Answer<typeof testIntegration>;

/** Posts what the template makes of the sample ticket, then asks the vendor for a delivery that shows whether it gets through. */
export async function sendTest(deps: Deps, change: Change, { message, channel_details }: Wishes): Promise<Result> {
  const row = await findIntegration(deps.db, change.place);
  if (row?.state !== 'on') refuse('integrations.not_connected');
  const text = testText(message, row.domain);
  const channels = await checkedChannels(deps, change, channel_details);
  if (!(await deps.throttle.allows(TESTS, change.place.teamId))) refuse('integrations.too_many_tests');
  const posted = await postToAll(deps, { ...change, row }, { text, channels });
  return { text: toPlainText(text), channels: posted, connection_error: await connectionError(deps, row) };
}

function testText(message: string, domain: string): string {
  const { json, problems } = checkTemplate(message);
  const refusal = toRefusal(problems);
  if (refusal !== null) refuse('integrations.bad_template', refusal);
  const { text } = toChatText(json, { domain, prefix: 'Test: ' });
  return text || refuse('integrations.bad_template', 'With the sample ticket there is no text to post.');
}

/** All posts and the audit row are one transaction; channels in the order of their ids, so that two tests do not deadlock. */
async function postToAll(
  deps: Deps,
  { place, actorId, origin, row }: Change & { row: IntegrationRow },
  { text, channels }: { text: string; channels: { id: string; display_name: string }[] },
): Promise<Result['channels']> {
  const { teamId, integrationId: target } = place;
  const userId = row.user_id ?? refuse('integrations.not_connected');
  const props = { from_webhook: 'true', integration: row.code };
  return inTransaction(deps.db, async (trx) => {
    const results: Result['channels'] = [];
    for (const { id, display_name } of channels.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
      const { error } = await postMessage(trx, { teamId, channelId: id, userId }, { text, props, now: Date.now() });
      results.push({ channel_id: id, channel_name: display_name, posted: error === '', error });
    }
    const details = { channels: results.filter(({ posted }) => posted).map(({ channel_id }) => channel_id) };
    await addAuditEvent(trx, { action: 'integrations.tested', teamId, actorId, target, details }, origin);
    return results;
  });
}

/** Where the words of the failure itself are about saving. */
const UNSENT: Partial<Record<FailureKind, string>> = {
  gone: 'The webhook is not in Zendesk any more. Please save the triggers.',
  unreachable: 'Zendesk could not be reached.',
};

/** What keeps deliveries of the vendor from us; '' when they get through. */
async function connectionError(deps: Deps, row: IntegrationRow): Promise<string> {
  const zendesk = openStoredZendesk(deps, row, createBudget(VENDOR_MS));
  if (!zendesk) return 'Enter the credentials again: they cannot be opened with the present SECRET_KEY.';
  if (row.webhook_id === null) return 'There is no webhook in Zendesk. Please save the triggers.';
  try {
    return describeOutcome(await testWebhook(zendesk, row.webhook_id, CONNECTION_TEST), deps.env.publicUrl);
  } catch (error) {
    if (!isFailure(error)) throw error;
    return UNSENT[error.kind] ?? error.message;
  }
}

function describeOutcome(status: number, publicUrl: string): string {
  if (status >= 200 && status < 300) return '';
  if (status === 0) return `Zendesk could not reach ${publicUrl}.`;
  if (status === 401) return 'Zendesk reached this server, but signs with a secret other than the one known here.';
  return `Zendesk got the answer ${status} from ${publicUrl}; another server may be answering there.`;
}
