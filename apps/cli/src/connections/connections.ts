import { Id, isVisible, text } from '@steward/contract/api/fields';
import { ExternalId } from '@steward/contract/connections/fields';
import { toMappingDetails } from '@steward/server/src/features/connections/mappings.actions.ts';
import { addMapping, listMappings } from '@steward/server/src/features/connections/mappings.store.ts';
import { stopOpenOrder } from '@steward/server/src/features/connections/orders/orders.actions.ts';
import {
  addServer,
  listServers,
  removeServer,
  renewToken,
} from '@steward/server/src/features/connections/servers.store.ts';
import { inTransaction, type Trx } from '@steward/server/src/platform/database/database.ts';
import { type AuditEvent, addAuditEvent } from '@steward/server/src/workspace/audit/audit.store.ts';
import { operatorOrigin } from '@steward/server/src/workspace/audit/operator-origin.ts';
import { z } from 'zod';
import { type Command, Mistake } from '../command.ts';
import { isTeam } from '../fill/fill.store.ts';
import type { Workspace } from '../open-workspace.ts';
import { read } from '../option-schemas.ts';

const Provider = z.enum(['mattermost'], { error: 'must be mattermost' });
const Name = text(100).trim().min(1, 'must not be empty').refine(isVisible, 'must have visible characters');
const Pair = z
  .string()
  .transform((pair) => pair.split('='))
  .pipe(z.tuple([ExternalId, Id], { error: 'must look like <team of the server>=<team id>, with commas between' }));
const Mappings = z
  .string()
  .transform((list) => list.split(','))
  .pipe(z.array(Pair).min(1).max(100));

interface Connecting {
  provider: string;
  name: string;
  mappings: readonly (readonly [remoteId: string, teamId: string])[];
  /** The team that governs direct messages; undefined for none. */
  directMessages: string | undefined;
}

/** Prints a connector token once. Nothing happens at the server before an owner of each team accepts the connection. */
export const connect: Command = {
  summary: 'Connect a server of another product',
  notes: [
    'The connector token is printed only once; start the bridge with it as STEWARD_TOKEN (npm run bridge).',
    'A team governs nothing at the server before one of its owners accepts the connection under Team Settings.',
    'Direct and group messages belong to no team. Without --direct-messages they are kept.',
  ],
  argument: { name: 'provider', help: 'Kind of server: mattermost' },
  options: {
    name: { value: 'text', help: 'Name shown to owners and admins', required: true },
    map: { value: 'pairs', help: 'Teams as <team of the server>=<team id>, with commas between', required: true },
    'direct-messages': { value: 'team id', help: 'Mapped team that governs direct and group messages' },
  },
  prepare: (given) => {
    const direct = given['direct-messages'];
    const connecting = {
      provider: read(Provider, 'provider', given.argument),
      name: read(Name, 'name', given.name),
      mappings: read(Mappings, 'map', given.map),
      directMessages: direct === undefined ? undefined : read(Id, 'direct-messages', direct),
    };
    requireDistinct(connecting);
    return async (workspace) => {
      const { id, token } = await connectServer(workspace, connecting);
      return { result: { id, token }, lines: [`Token  ${token} (shown only once)`, `Id     ${id}`] };
    };
  },
};

function requireDistinct({ mappings, directMessages }: Connecting): void {
  for (const side of [0, 1] as const)
    if (new Set(mappings.map((pair) => pair[side])).size < mappings.length)
      throw new Mistake('--map must not name a team twice.');
  if (directMessages !== undefined && !mappings.some(([, teamId]) => teamId === directMessages))
    throw new Mistake('--direct-messages must be one of the teams of --map.');
}

export async function connectServer(
  workspace: Pick<Workspace, 'db' | 'secrets'>,
  { provider, name, mappings, directMessages }: Connecting,
): Promise<{ id: string; token: string }> {
  return inTransaction(workspace.db, async (trx) => {
    const made = await addServer(trx, { provider, name });
    for (const [remoteId, teamId] of mappings) {
      if (!(await isTeam(trx, teamId))) throw new Mistake(`No team has the id ${teamId}.`);
      const isDirect = teamId === directMessages;
      await addMapping(trx, { serverId: made.id, remoteId, teamId, directMessages: isDirect });
      const mapping = { name, remote_team_id: remoteId, direct_messages: isDirect };
      const details = { ...mapping, provider };
      await addEvent(trx, workspace, { action: 'connections.made', teamId, actorId: null, target: made.id, details });
    }
    return made;
  });
}

const addEvent = (trx: Trx, workspace: Pick<Workspace, 'secrets'>, event: AuditEvent) =>
  addAuditEvent(trx, workspace, { ...event, origin: operatorOrigin() });

export const connections: Command = {
  summary: 'List connected servers',
  options: {},
  prepare: () => async (workspace) => {
    const servers = await listServers(workspace.db);
    const records = [];
    for (const server of servers) {
      const mappings = await listMappings(workspace.db, server.id);
      records.push({ ...server, teams: mappings.map(({ remote_id, team_id }) => `${remote_id}=${team_id}`) });
    }
    const lines = records.map(({ id, provider, name, teams }) => `${id}  ${provider}  ${name}  ${teams.join(',')}`);
    return { result: { records }, lines: lines.length > 0 ? lines : ['No server is connected.'] };
  },
};

const ARGUMENT = { name: 'id', help: 'Id of the connection' };

/** After a token was lost or stolen, and after a restore. */
export const newConnectorToken: Command = {
  summary: 'Replace the token of a connected server',
  notes: ['The earlier token stops working at once. The new one is printed only once.'],
  argument: ARGUMENT,
  options: {},
  prepare: (given) => {
    const id = read(Id, 'id', given.argument);
    return async (workspace) => {
      const token = await inTransaction(workspace.db, (trx) => renewToken(trx, id));
      if (token === undefined) throw new Mistake(`No connection has the id ${id}.`);
      return { result: { id, token }, lines: [`Token  ${token} (shown only once)`] };
    };
  },
};

/** The audit log keeps the outcomes of orders. */
export const disconnect: Command = {
  summary: 'Disconnect a server',
  notes: ['Its rules, orders and what was listed are removed here. Nothing happens at the server.'],
  argument: ARGUMENT,
  options: {},
  prepare: (given) => {
    const id = read(Id, 'id', given.argument);
    return async (workspace) => {
      await disconnectServer(workspace, id);
      return { result: { id }, lines: ['The server is disconnected.'] };
    };
  },
};

async function disconnectServer(workspace: Pick<Workspace, 'db' | 'secrets'>, id: string): Promise<void> {
  await inTransaction(workspace.db, async (trx) => {
    const mappings = await listMappings(trx, id);
    if (mappings.length === 0) throw new Mistake(`No connection has the id ${id}.`);
    for (const mapping of mappings) {
      const reason = 'The connection was ended.';
      await stopOpenOrder(trx, workspace, { serverId: id, teamId: mapping.team_id, reason });
      const event = { teamId: mapping.team_id, actorId: null, target: id, details: toMappingDetails(mapping) };
      await addEvent(trx, workspace, { action: 'connections.ended', ...event });
    }
    await removeServer(trx, id);
  });
}
