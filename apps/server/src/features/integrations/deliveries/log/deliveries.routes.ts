import { isId } from '@steward/contract/api/fields';
import { PAGE_ROWS } from '@steward/contract/api/limits';
import { getDelivery, listDeliveries, redeliver, redeliverFailed } from '@steward/contract/integrations/deliveries';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { serve } from '#platform/http/http.ts';
import { getPage, readCursor, rowsToFetch } from '#platform/http/paging.ts';
import type { Access } from '#workspace/access/access.ts';
import { serveChange } from '#workspace/changes/change.ts';
import type { IntegrationKey } from '../../integrations.store.ts';
import { toPlainText } from '../../message/escape-markup.ts';
import { findProvider } from '../../providers/registry.ts';
import { findLoggedDelivery, listLog } from './delivery-log.store.ts';
import { redeliverAll, redeliverOne } from './redeliver.actions.ts';

export function deliveryRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  serve(app, listDeliveries, access.teamAdmin, async ({ params, query }) => {
    const place = requireIntegration(params);
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
    const place = requireIntegration(params);
    const delivery = await findLoggedDelivery(deps.db, place, getId(params.deliveryId));
    if (!delivery) refuse('record.not_found');
    return toShownDelivery(delivery);
  });

  serveChange({ app, deps }, redeliver, access.teamAdmin, (trx, { params, who }) =>
    redeliverOne({ jobs: deps.jobs, trx }, { who, place: requireIntegration(params) }, getId(params.deliveryId)),
  );

  serveChange({ app, deps }, redeliverFailed, access.teamAdmin, (trx, { params, who }) =>
    redeliverAll({ jobs: deps.jobs, trx }, { who, place: requireIntegration(params) }),
  );
}

/** A delivery with its text as clients show it, without escapes. */
function toShownDelivery<Row extends { text: string }>(row: Row): Row {
  return { ...row, text: toPlainText(row.text) };
}

function requireIntegration({ teamId, integrationId }: IntegrationKey): IntegrationKey {
  if (!findProvider(teamId, integrationId)) refuse('record.not_found');
  return { teamId, integrationId };
}

/** An id from a path may contain characters that PostgreSQL rejects. */
function getId(id: string): string {
  if (!isId(id)) refuse('record.not_found');
  return id;
}
