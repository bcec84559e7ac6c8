import type { Received } from '@steward/contract/api/endpoint';
import type { AuditDetails } from '@steward/contract/audit/details';
import type {
  acceptConnection,
  leaveConnection,
  pauseConnection,
  saveConnectedDefaults,
} from '@steward/contract/connections';
import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { defuseLinks } from '#platform/mail/email-template.ts';
import type { Changed } from '#workspace/changes/change.ts';
import { toNight } from '#workspace/content/retention/cutoff.rules.ts';
import { notifyManagers } from '#workspace/notices/notify-managers.ts';
import { removeTeamLinks } from '#workspace/users/connected-links.store.ts';
import { getTeamClock } from '#workspace/users/teams.store.ts';
import { findUserName } from '#workspace/users/users.store.ts';
import { findPublicChannels } from './connections.store.ts';
import type { MappingKey, StoredMapping } from './mappings.store.ts';
import * as store from './mappings.store.ts';
import { removeTeam } from './mirror/mirror.store.ts';
import { stopOpenOrder } from './orders/orders.actions.ts';
import { removeRules } from './rules/connected-rules.store.ts';
import { setUnlisted } from './servers.store.ts';

interface MappingChange {
  key: MappingKey;
  actorId: string;
}

const DONE = { status_code: 200 } as const;

async function requireMapping(trx: Trx, key: MappingKey): Promise<StoredMapping> {
  return (await store.lockMapping(trx, key)) ?? refuse('record.not_found');
}

export function toMappingDetails({ name, remote_id, direct_messages }: Omit<StoredMapping, 'team_id'>) {
  return { name, remote_team_id: remote_id, direct_messages } satisfies AuditDetails<'connections.accepted'>;
}

/** From then on the bridge lists the team. Owners and admins get an email. */
export async function accept(
  trx: Trx,
  deps: Deps,
  { key, actorId }: MappingChange,
): Promise<Changed<typeof acceptConnection>> {
  const mapping = await requireMapping(trx, key);
  if (mapping.accepted_at > 0) return { answer: DONE, audit: null };
  const { time_zone, now } = await getTeamClock(trx, key.teamId);
  await store.setAccepted(trx, key, { by: actorId, night: toNight(now, time_zone) });
  await setUnlisted(trx, key.serverId);
  const [actor, server] = [defuseLinks(await findUserName(trx, actorId)), defuseLinks(mapping.name)];
  await notifyManagers(trx, deps, {
    teamId: key.teamId,
    actorId,
    kind: 'retention',
    subject: `${server} connected`,
    describe: (team) =>
      `${actor} accepted that ${team} governs a team on ${server}. Its admins can now act on users there, and save rules that delete messages there for good.`,
    action: { label: 'View the connection', path: '/dashboard/team_settings/connected_server' },
  });
  const { teamId, serverId: target } = key;
  return {
    answer: DONE,
    audit: { action: 'connections.accepted', teamId, actorId, target, details: toMappingDetails(mapping) },
  };
}

/** Ends rules and the open order. A permit that was begun is finished. */
export async function leave(
  trx: Trx,
  deps: Deps,
  { key, actorId }: MappingChange,
): Promise<Changed<typeof leaveConnection>> {
  const mapping = await requireMapping(trx, key);
  if (mapping.accepted_at === 0) return { answer: DONE, audit: null };
  await stopOpenOrder(trx, deps, { ...key, reason: 'The team stopped governing this server.' });
  await store.setLeft(trx, key);
  await removeRules(trx, key);
  await removeTeamLinks(trx, key);
  await removeTeam(trx, key);
  const { teamId, serverId: target } = key;
  return {
    answer: DONE,
    audit: { action: 'connections.left', teamId, actorId, target, details: toMappingDetails(mapping) },
  };
}

export async function pause(
  trx: Trx,
  { key, actorId, body: { paused } }: MappingChange & { body: Received<typeof pauseConnection>['body'] },
): Promise<Changed<typeof pauseConnection>> {
  const mapping = await requireMapping(trx, key);
  if (mapping.accepted_at === 0) refuse('connections.not_accepted');
  const before = mapping.paused_at > 0;
  if (before === paused) return { answer: DONE, audit: null };
  await store.setPaused(trx, key, paused);
  const { teamId, serverId: target } = key;
  const details = { before, after: paused };
  return { answer: DONE, audit: { action: 'connections.paused', teamId, actorId, target, details } };
}

export async function saveDefaults(
  trx: Trx,
  { key, actorId, body }: MappingChange & { body: Received<typeof saveConnectedDefaults>['body'] },
): Promise<Changed<typeof saveConnectedDefaults>> {
  const mapping = await requireMapping(trx, key);
  if (mapping.accepted_at === 0) refuse('connections.not_accepted');
  const after = [...new Set(body.channel_ids)];
  const known = new Set(await findPublicChannels(trx, key, after));
  const unknown = after.find((id) => !known.has(id));
  if (unknown !== undefined)
    refuse('request.invalid', `channel_ids: ${unknown} is not a public channel of this team at the server`);
  const before = mapping.default_channel_ids;
  if (before.join() === after.join()) return { answer: DONE, audit: null };
  await store.setDefaultChannels(trx, key, after);
  const { teamId, serverId: target } = key;
  return {
    answer: DONE,
    audit: { action: 'connections.defaults_saved', teamId, actorId, target, details: { before, after } },
  };
}
