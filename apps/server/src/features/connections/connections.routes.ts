// A team governs a team of a connected server: an owner accepts it, saves rules for its messages, and asks it to change users.
// Owns the tables connected_*. The bridge of a server calls connector.routes.ts.

import {
  acceptConnection,
  askConnectedServer,
  getConnectedRules,
  inviteConnectedUser,
  leaveConnection,
  listConnectedChannels,
  listConnectedUsers,
  listConnections,
  listOrderRows,
  listOrders,
  pauseConnection,
  previewConnectedRules,
  saveConnectedDefaults,
  saveConnectedRules,
  stopOrder,
  unlinkConnectedUser,
} from '@steward/contract/connections';
import { isOwnerOfTeam } from '@steward/contract/users/roles';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { serve } from '#platform/http/http.ts';
import { getPage, readCursor, rowsToFetch } from '#platform/http/paging.ts';
import type { Access, TeamAdmin } from '#workspace/access/access.ts';
import { recently } from '#workspace/access/step-up.ts';
import { serveChange } from '#workspace/changes/change.ts';
import * as connections from './connections.store.ts';
import { connectorRoutes } from './connector.routes.ts';
import { accept, leave, pause, saveDefaults } from './mappings.actions.ts';
import { findMapping, type StoredMapping } from './mappings.store.ts';
import { stopByAdmin } from './orders/orders.actions.ts';
import * as orders from './orders/orders.store.ts';
import { findConnectedRules } from './rules/connected-rules.store.ts';
import { previewRules, readRules, saveRules } from './rules/rules.actions.ts';
import { inviteFromServer, unlink } from './work/links.actions.ts';
import { askServer, describeUsers } from './work/work.actions.ts';
import { listConnectedUsers as listUsers } from './work/work.store.ts';

interface Feature {
  app: FastifyInstance;
  deps: Deps;
  access: Access;
}

export function connectionsRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  const feature = { app, deps, access };
  serveMappings(feature);
  serveUsersAndChannels(feature);
  serveLinks(feature);
  serveRules(feature);
  serveOrders(feature);
  connectorRoutes(app, deps);
}

interface ConnectionCall {
  who: TeamAdmin;
  params: { connectionId: string };
}

const toKey = ({ who, params }: ConnectionCall) => ({ serverId: params.connectionId, teamId: who.teamId });
const toChange = (call: ConnectionCall) => ({ key: toKey(call), actorId: call.who.userId });

async function requireMapping(deps: Deps, call: ConnectionCall): Promise<StoredMapping> {
  return (await findMapping(deps.db, toKey(call))) ?? refuse('record.not_found');
}

function serveMappings({ app, deps, access }: Feature): void {
  serve(app, listConnections, access.teamAdmin, async ({ who: { teamId } }) => {
    const records = [];
    for (const stored of await connections.listConnections(deps.db, teamId)) {
      const [newest] = await orders.listOrders(
        deps.db,
        { serverId: stored.id, teamId },
        { before: undefined, limit: 1 },
      );
      const open_order = newest?.state === 'open' ? orders.toOrder(newest) : null;
      records.push({ ...stored, ...connections.describeHealth(stored), open_order });
    }
    return { records };
  });
  serveChange({ app, deps }, acceptConnection, recently(access.teamOwner), (trx, call) =>
    accept(trx, deps, toChange(call)),
  );
  serveChange({ app, deps }, leaveConnection, recently(access.teamOwner), (trx, call) =>
    leave(trx, deps, toChange(call)),
  );
  serveChange({ app, deps }, pauseConnection, access.teamAdmin, (trx, call) =>
    pause(trx, { ...toChange(call), body: call.body }),
  );
}

function serveUsersAndChannels({ app, deps, access }: Feature): void {
  serve(app, listConnectedUsers, access.teamAdmin, async (call) => {
    const mapping = await requireMapping(deps, call);
    const { search = '', former, ended, last_key, limit } = call.query;
    const scope = {
      list: 'connected users',
      teamId: call.who.teamId,
      filters: { ...call.params, search, former, ended },
    };
    const after = readCursor(deps.secrets, scope, last_key);
    const rows = await listUsers(deps.db, mapping, {
      search,
      former: former === '1',
      ended: ended === '1',
      after,
      limit: rowsToFetch(limit),
    });
    const users = await describeUsers(deps.db, { mapping, userId: call.who.userId }, rows);
    const first = after === undefined;
    return getPage(users, { limit, first, secrets: deps.secrets, scope, toKey: (row) => [row.username, row.id] });
  });
  serve(app, listConnectedChannels, access.teamAdmin, async (call) => {
    await requireMapping(deps, call);
    const { search, defaults, open, last_key, limit } = call.query;
    const seesPrivate = isOwnerOfTeam(call.who.roles);
    const scope = {
      list: 'connected channels',
      teamId: call.who.teamId,
      filters: { ...call.params, search, defaults, open, seesPrivate },
    };
    const after = readCursor(deps.secrets, scope, last_key);
    const only = { defaults: defaults === '1', open: open === '1' };
    const page = { search, ...only, after, limit: rowsToFetch(limit) };
    const rows = await connections.listConnectedChannels(deps.db, { ...toKey(call), seesPrivate }, page);
    const first = after === undefined;
    return getPage(rows, { limit, first, secrets: deps.secrets, scope, toKey: (row) => [row.name, row.id] });
  });
  serveChange({ app, deps }, saveConnectedDefaults, access.teamAdmin, (trx, call) =>
    saveDefaults(trx, { ...toChange(call), body: call.body }),
  );
  serveChange({ app, deps }, askConnectedServer, recently(access.teamAdmin), (trx, call) =>
    askServer(trx, { who: call.who, key: toKey(call), body: call.body }),
  );
}

function serveLinks({ app, deps, access }: Feature): void {
  const toLink = (call: ConnectionCall & { params: { remoteUserId: string } }) => ({
    who: call.who,
    key: toKey(call),
    remoteUserId: call.params.remoteUserId,
  });
  serveChange({ app, deps }, inviteConnectedUser, access.teamAdmin, (trx, call) =>
    inviteFromServer(trx, deps, { ...toLink(call), email: call.body.email }),
  );
  serveChange({ app, deps }, unlinkConnectedUser, access.teamAdmin, (trx, call) => unlink(trx, toLink(call)));
}

function serveRules({ app, deps, access }: Feature): void {
  serve(app, getConnectedRules, access.teamAdmin, async (call) => readRules(deps.db, await requireMapping(deps, call)));
  serveChange({ app, deps }, saveConnectedRules, access.teamOwner, (trx, call) =>
    saveRules(trx, deps, { who: call.who, key: toKey(call), rules: call.body }),
  );
  serve(app, previewConnectedRules, access.teamAdmin, async (call) => {
    await requireMapping(deps, call);
    const { who, body } = call;
    const key = toKey(call);
    const rules = await findConnectedRules(deps.db, key);
    const count = () => deps.replica.count((db) => previewRules(db, { key, rules, body }));
    return deps.countQueue.run({ key: who.teamId, user: who.userId }, count);
  });
}

function serveOrders({ app, deps, access }: Feature): void {
  serve(app, listOrders, access.teamAdmin, async (call) => {
    await requireMapping(deps, call);
    const { last_key, limit } = call.query;
    const scope = { list: 'orders', teamId: call.who.teamId, filters: call.params };
    const cursor = readCursor(deps.secrets, scope, last_key);
    const rows = await orders.listOrders(deps.db, toKey(call), { before: cursor?.[0], limit: rowsToFetch(limit) });
    const first = cursor === undefined;
    const page = { limit, first, secrets: deps.secrets, scope };
    return getPage(rows.map(orders.toOrder), { ...page, toKey: (row) => [row.id] });
  });
  serve(app, listOrderRows, access.teamAdmin, async (call) => {
    const { orderId } = call.params;
    const { serverId, teamId } = toKey(call);
    const order = await orders.findOrder(deps.db, orderId);
    if (order?.server_id !== serverId || order.team_id !== teamId) refuse('record.not_found');
    const { kept, reason, last_key, limit } = call.query;
    const seesPrivate = isOwnerOfTeam(call.who.roles);
    const scope = { list: 'order rows', teamId, filters: { ...call.params, kept, reason, seesPrivate } };
    const cursor = readCursor(deps.secrets, scope, last_key);
    const page = { kept: kept === '1', reason, after: cursor?.[0], limit: rowsToFetch(limit) };
    const rows = await orders.listOrderRows(deps.db, { id: orderId, serverId, seesPrivate }, page);
    const first = cursor === undefined;
    return getPage(rows, { limit, first, secrets: deps.secrets, scope, toKey: (row) => [row.id] });
  });
  serveChange({ app, deps }, stopOrder, access.teamAdmin, (trx, call) =>
    stopByAdmin(trx, { key: toKey(call), orderId: call.params.orderId, actorId: call.who.userId }),
  );
}
