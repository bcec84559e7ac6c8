import type { Answer } from '@steward/contract/api/endpoint';
import type { TriggerChannel, testIntegration } from '@steward/contract/integrations';
import type { z } from 'zod';
import type { Deps } from '#platform/deps.ts';
import { describeLimit } from '#platform/described-limits.ts';
import { refuse } from '#platform/http/errors.ts';
import { inAuthorizedTransaction } from '#workspace/access/authorized-transaction.ts';
import { addAuditEvent } from '#workspace/audit/audit.store.ts';
import type { ProviderChange } from './connection/connect.actions.ts';
import { checkChannels } from './connection/save.actions.ts';
import { findLastRequest } from './deliveries/log/delivery-log.store.ts';
import { postMessage } from './deliveries/post-message.actions.ts';
import { findIntegration, type IntegrationRow } from './integrations.store.ts';
import { toPlainText } from './message/escape-markup.ts';
import { toRefusal } from './message/template-problems.ts';
import type { Renderer, Rendering, Sample } from './rendering/renderer.ts';

const TESTS = describeLimit({
  name: 'integration-tests',
  counts: 'test messages of a team',
  attempts: 10,
  seconds: 60,
});

interface TestForm {
  message: string;
  channel_details: z.output<typeof TriggerChannel>[];
}

type Result = Answer<typeof testIntegration>;

/** Posts the rendered sample, then asks the service for a delivery to check that it arrives. */
export async function sendTest(
  { deps, renderer }: Rendering,
  change: ProviderChange,
  { message, channel_details }: TestForm,
): Promise<Result> {
  const row = await findIntegration(deps.db, change.place);
  if (row?.state !== 'on') refuse('helpdesk.not_connected');
  const text = await testText(renderer, row, { message, last: await findLastRequest(deps.db, change.place) });
  const channels = await checkChannels(deps, change, channel_details);
  if (!(await deps.throttle.allows(TESTS, change.place.teamId))) refuse('helpdesk.too_many_tests');
  const posted = await postToAll(deps, { ...change, row }, { text, channels });
  const sentIds = channel_details.map(({ channel_id }) => channel_id);
  return {
    text: toPlainText(text),
    channels: posted.toSorted((a, b) => sentIds.indexOf(a.channel_id) - sentIds.indexOf(b.channel_id)),
    connection_error: await change.provider.testConnection(deps, row),
  };
}

async function testText(
  renderer: Renderer,
  { team_id, code, domain }: IntegrationRow,
  template: Pick<Sample, 'message' | 'last'>,
): Promise<string> {
  const { text, problems } = await renderer.check(team_id, { ...template, code, domain, prefix: 'Test: ' });
  const refusal = toRefusal(problems);
  if (refusal !== null) refuse('helpdesk.bad_template', refusal);
  return text || refuse('helpdesk.bad_template', 'The template renders no text for the sample.');
}

/** Posts and audit row are one transaction. Channels are posted to in order of id, so that two tests don't deadlock. */
async function postToAll(
  deps: Deps,
  { place, actorId, authorize, origin, row }: ProviderChange & { row: IntegrationRow },
  { text, channels }: { text: string; channels: { id: string; display_name: string }[] },
): Promise<Result['channels']> {
  const { teamId, integrationId: target } = place;
  const userId = row.user_id ?? refuse('helpdesk.not_connected');
  const props = { from_webhook: 'true', integration: row.code };
  return inAuthorizedTransaction({ db: deps.db, authorize }, async (trx) => {
    const results: Result['channels'] = [];
    for (const { id, display_name } of channels.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
      const { error } = await postMessage(trx, { teamId, channelId: id, userId }, { text, props, now: Date.now() });
      results.push({ channel_id: id, channel_name: display_name, posted: error === '', error });
    }
    const details = { channels: results.filter(({ posted }) => posted).map(({ channel_id }) => channel_id) };
    await addAuditEvent(trx, deps, { action: 'integrations.tested', teamId, actorId, target, details, origin });
    return results;
  });
}
