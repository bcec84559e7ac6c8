// Calls of a bridge. The connector token serves one connection, reports on its own permits only, and reads no accounts.

import { setTimeout as delay } from 'node:timers/promises';
import type { Answer, AnyEndpoint } from '@steward/contract/api/endpoint';
import { CONNECTOR_CHANNELS_PAGE, LEASE_SECONDS } from '@steward/contract/api/limits';
import {
  addListPage,
  beginPermit,
  finishList,
  listChannelsToRead,
  releaseLease,
  reportOutcomes,
  reportRehearsal,
  reportStatus,
  reportWork,
  saveRemoteMessages,
  startList,
  takeLease,
  takePermit,
  takeWork,
} from '@steward/contract/connections/connector';
import type { FastifyInstance } from 'fastify';
import { inTransaction, type Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { type Call, type Guard, serve, serveGuardedOnce } from '#platform/http/http.ts';
import { getPage, readCursor, rowsToFetch } from '#platform/http/paging.ts';
import { type Connector, connectorGuard, inLease } from './connector-guard.ts';
import { listMappings } from './mappings.store.ts';
import { addPage, beginList, endCompleteList, withoutRepeats } from './mirror/lists.actions.ts';
import * as mirror from './mirror/mirror.store.ts';
import * as reading from './mirror/reading.store.ts';
import { listOpenOrders } from './orders/orders.store.ts';
import { takeOutcomes } from './orders/outcomes.actions.ts';
import { beginTaken, takeNextPermit } from './orders/permits.actions.ts';
import * as servers from './servers.store.ts';
import { endWork } from './work/work.actions.ts';
import { listOpenWork } from './work/work.store.ts';

interface Connectors {
  app: FastifyInstance;
  deps: Deps;
  guard: Guard<Connector>;
}

export function connectorRoutes(app: FastifyInstance, deps: Deps): void {
  const connectors = { app, deps, guard: connectorGuard(deps) };
  serveLease(connectors);
  serveLists(connectors);
  serveWork(connectors);
  servePermits(connectors);
}

/** Serves a call of the bridge that has the lease, in one transaction. */
function serveInLease<E extends AnyEndpoint>(
  { app, deps, guard }: Connectors,
  definition: E,
  work: (trx: Trx, serverId: string, call: Call<E, Connector>) => Promise<Answer<E>>,
): void {
  serveGuardedOnce(app, definition, guard, (call) =>
    inLease(deps, call.authorize, (trx, serverId) => work(trx, serverId, call)),
  );
}

const DONE = { status_code: 200 } as const;

function serveLease(connectors: Connectors): void {
  const { app, deps, guard } = connectors;
  serveGuardedOnce(app, takeLease, guard, ({ authorize, body }) =>
    inTransaction(deps.db, async (trx) => {
      const { serverId } = await authorize(trx);
      const { bridge, lease: current } = body;
      const lease = (await servers.takeLease(trx, serverId, { lease: current, bridge })) ?? refuse('connector.leased');
      return { lease, seconds: LEASE_SECONDS, ...(await describeConnection(trx, serverId)) };
    }),
  );
  serveInLease(connectors, releaseLease, async (trx, serverId) => {
    await servers.releaseLease(trx, serverId);
    return DONE;
  });
  serveInLease(connectors, reportStatus, async (trx, serverId, { body }) => {
    await servers.saveStatus(trx, serverId, body);
    return DONE;
  });
  serveInLease(connectors, reportRehearsal, async (trx, serverId, { body }) => ({
    passed: await servers.saveRehearsal(trx, serverId, body),
  }));
}

async function describeConnection(trx: Trx, serverId: string) {
  const server = (await servers.findServer(trx, serverId)) ?? refuse('connector.token_required');
  const mappings = (await listMappings(trx, serverId)).map(
    ({ remote_id, accepted_at, paused_at, direct_messages }) => ({
      remote_team_id: remote_id,
      accepted: accepted_at > 0,
      paused: paused_at > 0,
      direct_messages,
    }),
  );
  const { id, provider, name, users_listed_at, channels_listed_at, rehearsed_at, rehearsal_passed } = server;
  const orders = await listOpenOrders(trx, serverId);
  // After a rehearsal that failed, the bridge tries again.
  const isMissing = orders.some(({ opened_at }) => opened_at > rehearsed_at || !rehearsal_passed);
  return {
    connection: { id, provider, name, mappings },
    users_listed_at,
    channels_listed_at,
    rehearsed_at,
    rehearsal_passed,
    wants_rehearsal: isMissing,
  };
}

function serveLists(connectors: Connectors): void {
  const { app, deps, guard } = connectors;
  serveInLease(connectors, startList, (trx, serverId, { body }) => beginList(trx, serverId, body));
  serveInLease(connectors, addListPage, (trx, serverId, { params, body }) =>
    addPage(trx, serverId, { ...params, body }),
  );
  serveInLease(connectors, finishList, (trx, serverId, { params, body }) =>
    endCompleteList(trx, serverId, { ...params, body }),
  );
  serveInLease(connectors, saveRemoteMessages, async (trx, serverId, { body }) => {
    const { channel_id: channelId, hint } = body;
    if (!(await mirror.hasChannel(trx, serverId, channelId))) refuse('record.not_found');
    await mirror.saveMessages(trx, { serverId, channelId, listId: null }, withoutRepeats(body.messages));
    if (hint !== undefined) await mirror.saveHint(trx, { serverId, channelId }, hint);
    return { taken: body.messages.length };
  });
  serve(app, listChannelsToRead, guard, async ({ who: { serverId, lease }, query: { last_key } }) => {
    if (!(await servers.hasLease(deps.db, serverId, lease))) refuse('connector.leased');
    const limit = CONNECTOR_CHANNELS_PAGE;
    const scope = { list: 'channels to read', teamId: serverId, filters: {} };
    const after = readCursor(deps.secrets, scope, last_key);
    const rows = await reading.listChannelsToRead(deps.db, serverId, { after, limit: rowsToFetch(limit) });
    const toKey = (row: reading.ChannelToRead) => [row.needed ? 'needed' : '', String(row.list_began_at), row.id];
    return getPage(rows, { limit, first: after === undefined, secrets: deps.secrets, scope, toKey });
  });
}

/** Milliseconds between two looks for work. */
const WORK_POLL_MS = 500;

function serveWork(connectors: Connectors): void {
  const { app, deps, guard } = connectors;
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort());
  serve(app, takeWork, guard, async ({ who: { serverId, lease }, query: { wait }, request }) => {
    const until = performance.now() + wait * 1_000;
    const isOver = () => performance.now() >= until || closing.signal.aborted || request.raw.destroyed;
    for (;;) {
      if (!(await servers.hasLease(deps.db, serverId, lease))) refuse('connector.leased');
      const records = await listOpenWork(deps.db, serverId);
      if (records.length > 0 || isOver()) return { records };
      await delay(WORK_POLL_MS, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  });
  serveInLease(connectors, reportWork, (trx, serverId, { params, body, origin }) =>
    endWork(trx, { deps, serverId, origin }, { ...params, body }),
  );
}

function servePermits(connectors: Connectors): void {
  const { deps } = connectors;
  serveInLease(connectors, takePermit, (trx, serverId, { origin }) => takeNextPermit(trx, { deps, serverId, origin }));
  serveInLease(connectors, beginPermit, (trx, serverId, { params }) => beginTaken(trx, serverId, params.permitId));
  serveInLease(connectors, reportOutcomes, (trx, serverId, { params, body, origin }) =>
    takeOutcomes(trx, { deps, serverId, origin }, { ...params, body }),
  );
}
