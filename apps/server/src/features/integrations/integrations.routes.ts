import { isId } from '@steward/contract/api/fields';
import { PAGE_ROWS } from '@steward/contract/api/limits';
import {
  connectIntegration,
  disableIntegration,
  getIntegration,
  type Integration,
  type IntegrationDetail,
  listIntegrations,
  previewTemplate,
  saveIntegration,
  testIntegration,
} from '@steward/contract/integrations';
import { getDelivery, listDeliveries, redeliver, redeliverFailed } from '@steward/contract/integrations/deliveries';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { describeLimit } from '#platform/described-limits.ts';
import { refuse } from '#platform/http/errors.ts';
import { type Call, serve } from '#platform/http/http.ts';
import { getPage, readCursor, rowsToFetch } from '#platform/http/paging.ts';
import type { Access, TeamAdmin } from '#workspace/access/access.ts';
import { recently } from '#workspace/access/step-up.ts';
import { serveChange } from '#workspace/changes/change.ts';
import { getIntegrationHealth, opened } from '#workspace/integrations/integration-health.ts';
import { connect, type ProviderChange } from './connection/connect.actions.ts';
import { disconnect } from './connection/disconnect.actions.ts';
import { reconcileSoon } from './connection/reconcile.job.ts';
import { save } from './connection/save.actions.ts';
import { findLastRequest, findLoggedDelivery, listLog } from './deliveries/log/delivery-log.store.ts';
import { redeliverAll, redeliverOne } from './deliveries/log/redeliver.actions.ts';
import { hookRoutes } from './hook.routes.ts';
import { type ChosenChannel, listIntegrationChannels } from './integration-channels.store.ts';
import {
  findIntegration,
  type IntegrationKey,
  type IntegrationRow,
  listIntegrationRows,
} from './integrations.store.ts';
import { toPlainText } from './message/escape-markup.ts';
import { toHookUrl } from './providers/hook-url.ts';
import type { Provider } from './providers/provider.ts';
import { findProvider, PROVIDERS, toIntegrationId } from './providers/registry.ts';
import { createRenderer, type Rendering } from './rendering/renderer.ts';
import { sendTest } from './test-message.actions.ts';

// An admin connects a service, chooses which events are posted and where, checks the delivery log, and disconnects.
// Owns integrations, integration_channels, deliveries and delivery_channels.
// Inner folders import one way: connection → deliveries → rendering → providers → message.

/** The highest rate of one thread. Typing in the editor stays below it. */
const PREVIEWS = describeLimit({
  name: 'template-previews',
  counts: 'template previews of a user, in all teams',
  attempts: 120,
  seconds: 60,
});

/** Serves the preview and the test message, for templates saved or not. */
function templateRoutes(app: FastifyInstance, rendering: Rendering, access: Access): void {
  const { deps, renderer } = rendering;
  serve(app, previewTemplate, access.teamAdmin, async ({ params, body, who }) => {
    const provider = findProvider(params.teamId, params.integrationId) ?? refuse('record.not_found');
    if (!(await deps.throttle.allows(PREVIEWS, who.userId))) refuse('rate.limited');
    const last = await findLastRequest(deps.db, params);
    const template = { code: provider.code, message: body.message, last };
    const { json, text, problems } = await renderer.check(params.teamId, template);
    return { json, text: toPlainText(text), problems };
  });

  serve(app, testIntegration, access.teamAdmin, ({ params: place, body, who, authorize, origin }) => {
    const provider = findProvider(place.teamId, place.integrationId) ?? refuse('record.not_found');
    return sendTest(rendering, { place, provider, actorId: who.userId, authorize, origin }, body);
  });
}

type IntegrationParams = { params: { teamId: string; integrationId: string } };

function requireIntegration({ params }: IntegrationParams): IntegrationKey & { provider: Provider } {
  const provider = findProvider(params.teamId, params.integrationId) ?? refuse('record.not_found');
  return { ...params, provider };
}

function toIntegrationChange(
  call: IntegrationParams & Pick<Call<never, TeamAdmin>, 'who' | 'authorize' | 'origin'>,
): ProviderChange {
  const { provider, ...place } = requireIntegration(call);
  return { place, provider, actorId: call.who.userId, authorize: call.authorize, origin: call.origin };
}

/** Serves the integration endpoints. Changes call the service, so they are not single transactions. */
export function integrationsRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  const renderer = createRenderer();
  app.addHook('onClose', () => renderer.close());
  const rendering = { deps, renderer };

  serve(app, listIntegrations, access.teamAdminPolling, async ({ params: { teamId } }) => {
    const rows = await listIntegrationRows(deps.db, teamId);
    const findRow = ({ code }: Provider) => rows.find(({ id }) => id === toIntegrationId(teamId, code));
    return {
      records: PROVIDERS.map((provider) => toIntegrationTile(deps, teamId, { provider, row: findRow(provider) })),
    };
  });

  serve(app, getIntegration, access.teamAdmin, async (call) => {
    const place = requireIntegration(call);
    const row = await findIntegration(deps.db, place);
    if (row?.state === 'on') await reconcileSoon(deps, place);
    const channels = await listIntegrationChannels(deps.db, place);
    return toIntegrationDetail(deps, place, { row, channels });
  });

  serve(app, connectIntegration, recently(access.teamAdmin), async (call) => ({
    status_code: 200 as const,
    ...(await connect(deps, toIntegrationChange(call), call.body)),
  }));

  serve(app, saveIntegration, access.teamAdmin, async (call) => {
    const change = toIntegrationChange(call);
    if (call.body.integration !== change.place.integrationId)
      refuse('request.invalid', 'integration: must match the id in the path');
    return { status_code: 200 as const, ...(await save(rendering, { ...change, who: call.who }, call.body)) };
  });

  serve(app, disableIntegration, access.teamAdmin, async (call) => ({
    status_code: 200 as const,
    warnings: await disconnect(deps, toIntegrationChange(call)),
  }));

  templateRoutes(app, rendering, access);
  deliveryRoutes(app, deps, access);
  hookRoutes(app, rendering);
}

function deliveryRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  serve(app, listDeliveries, access.teamAdmin, async ({ params, query }) => {
    const place = requireIntegration({ params });
    const { state } = query;
    // Each row contains a whole message, so pages are smaller than those of other lists.
    const limit = Math.min(query.limit ?? PAGE_ROWS, PAGE_ROWS);
    const { teamId, integrationId } = place;
    const scope = { list: 'deliveries', teamId, filters: { integrationId, state } };
    const before = readCursor(deps.secrets, scope, query.last_key)?.[0];
    const rows = (await listLog(deps.db, place, { state, before, limit: rowsToFetch(limit) })).map(toShownDelivery);
    const first = before === undefined;
    return getPage(rows, { limit, first, secrets: deps.secrets, scope, toKey: ({ id }) => [id] });
  });

  serve(app, getDelivery, access.teamAdmin, async ({ params }) => {
    const place = requireIntegration({ params });
    const delivery = await findLoggedDelivery(deps.db, place, getId(params.deliveryId));
    if (!delivery) refuse('record.not_found');
    return toShownDelivery(delivery);
  });

  serveChange({ app, deps }, redeliver, access.teamAdmin, (trx, { params, who }) =>
    redeliverOne({ jobs: deps.jobs, trx }, { who, place: requireIntegration({ params }) }, getId(params.deliveryId)),
  );

  serveChange({ app, deps }, redeliverFailed, access.teamAdmin, (trx, { params, who }) =>
    redeliverAll({ jobs: deps.jobs, trx }, { who, place: requireIntegration({ params }) }),
  );
}

/** A delivery with its text as clients show it, without escapes. */
function toShownDelivery<Row extends { text: string }>(row: Row): Row {
  return { ...row, text: toPlainText(row.text) };
}

/** An id from a path may contain characters that PostgreSQL rejects. */
function getId(id: string): string {
  if (!isId(id)) refuse('record.not_found');
  return id;
}

function toIntegrationTile(
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
function toIntegrationDetail(
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
