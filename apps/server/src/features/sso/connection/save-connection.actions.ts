import { isDeepStrictEqual } from 'node:util';
import type { AuditDetails } from '@steward/contract/audit/details';
import type { removeSso, SsoSettings, saveSso } from '@steward/contract/sso/connection';
import { findIssuerProblem } from '@steward/contract/sso/issuer';
import { inTransaction, type Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import type { Origin } from '#platform/http/http.ts';
import { hasBreakGlassOwner } from '#workspace/access/factors/factors.store.ts';
import { endConnectionSessions } from '#workspace/access/sessions/sessions.store.ts';
import { saveTeamSecurity } from '#workspace/access/team-security.store.ts';
import { addAuditEvent } from '#workspace/audit/audit.store.ts';
import type { Changed, TeamActor } from '#workspace/changes/change.ts';
import { notifyUnlinked } from '#workspace/notices/notify-links.ts';
import { type Connection, findConnection } from '#workspace/users/identity-providers/connections.store.ts';
import { lockTeam } from '#workspace/users/teams.store.ts';
import { openSecret, sealSecret } from './client-secret.ts';
import { readConnection } from './connection-answer.ts';
import {
  addConnection,
  deleteConnection,
  type SavedConnection,
  switchOff,
  updateConnection,
} from './saved-connections.store.ts';

export async function saveConnection(
  trx: Trx,
  deps: Deps,
  { teamId, actorId, settings }: TeamActor & { settings: SsoSettings },
): Promise<Changed<typeof saveSso>> {
  const problem = findIssuerProblem(settings.issuer, { allowsLoopback: deps.env.SSO_ALLOW_LOOPBACK });
  if (problem !== undefined) refuse('request.invalid', `issuer: ${problem}`);
  await lockTeam(trx, teamId);
  const before = await findConnection(trx, teamId);
  const wanted = toSaved(deps, { teamId, settings, before });
  const isSame = before?.issuer === wanted.row.issuer;
  if (wanted.row.enabled) requireReady(wanted, before);
  if (wanted.row.required && !(wanted.row.enabled && (await hasBreakGlassOwner(trx, teamId))))
    refuse('sso.no_break_glass');
  if (isUnchanged(before, wanted)) return { answer: await readConnection(trx, deps.env, teamId), audit: null };
  const ends = before !== undefined && (!isSame || !wanted.row.enabled);
  const sessions = ends ? await endConnectionSessions(trx, { connectionId: before.id }) : 0;
  if (!isSame) await endConnection(trx, deps, teamId);
  const id = isSame ? before.id : await addConnection(trx, wanted.row);
  if (isSame) await updateConnection(trx, wanted.row, { keepsTest: !wanted.needsTest });
  await saveTeamSecurity(trx, teamId, { required_connection_id: wanted.row.required ? id : null });
  const details = {
    before: before === undefined ? null : toDetails(before),
    after: toDetails(wanted.row),
    secret_changed: wanted.hasNewSecret,
    groups_changed: !isDeepStrictEqual(before?.group_roles ?? {}, wanted.row.group_roles),
    sessions,
  };
  const answer = await readConnection(trx, deps.env, teamId);
  return { answer, audit: { action: 'sso.saved', teamId, actorId, target: teamId, details } };
}

interface Wanted {
  row: SavedConnection;
  hasNewSecret: boolean;
  /** True if the last test sign-in is no longer valid. */
  needsTest: boolean;
}

function toSaved(
  { secrets }: Deps,
  { teamId, settings, before }: { teamId: string; settings: SsoSettings; before: Connection | undefined },
): Wanted {
  const { client_secret: secret, ...rest } = settings;
  const isSame = before?.issuer === settings.issuer;
  const stored = isSame ? before.client_secret : null;
  const hasNewSecret = secret !== undefined && (stored === null || openSecret(secrets, stored) !== secret);
  const client_secret = hasNewSecret ? sealSecret(secrets, secret) : stored;
  // Users and their links belong to one issuer, so a new issuer starts switched off.
  const state = isSame || before === undefined ? {} : { enabled: false, required: false };
  const row = { ...rest, team_id: teamId, client_secret, ...state };
  return { row, hasNewSecret, needsTest: !isSame || hasNewSecret || before.client_id !== settings.client_id };
}

function requireReady({ row, needsTest }: Wanted, before: Connection | undefined): void {
  if (row.client_id === '' || row.client_secret === null) refuse('sso.incomplete');
  if (needsTest || (before?.tested_at ?? null) === null) refuse('sso.not_tested');
}

function isUnchanged(before: Connection | undefined, { row, hasNewSecret }: Wanted): boolean {
  if (before === undefined || hasNewSecret) return false;
  const { id: _id, tested_at: _tested, ...saved } = before;
  return isDeepStrictEqual({ ...saved }, { ...row });
}

function toDetails(connection: SavedConnection): NonNullable<AuditDetails<'sso.saved'>['before']> {
  const { name, issuer, client_id, enabled, required, jit, default_role, group_claim, group_roles } = connection;
  const group_count = Object.keys(group_roles).length;
  return { name, issuer, client_id, enabled, required, jit, default_role, group_claim, group_count };
}

/** Also removes the links of users, and emails them. */
async function endConnection(trx: Trx, deps: Deps, teamId: string): Promise<void> {
  await notifyUnlinked(trx, deps, { teamId, reason: 'connection' });
  await deleteConnection(trx, teamId);
}

/** Also removes the links of users and the sessions that started with the connection. */
export async function removeConnection(
  trx: Trx,
  deps: Deps,
  { teamId, actorId }: TeamActor,
): Promise<Changed<typeof removeSso>> {
  await lockTeam(trx, teamId);
  const before = (await findConnection(trx, teamId)) ?? refuse('record.not_found');
  const sessions = await endConnectionSessions(trx, { connectionId: before.id });
  await endConnection(trx, deps, teamId);
  await saveTeamSecurity(trx, teamId, { required_connection_id: null });
  const details = { before: toDetails(before), sessions };
  return {
    answer: { status_code: 200 },
    audit: { action: 'sso.removed', teamId, actorId, target: teamId, details },
  };
}

/** Called by the operator. Returns the number of ended sessions; undefined without a connection. */
export async function turnOffSso(
  deps: Pick<Deps, 'db' | 'secrets'>,
  teamId: string,
  origin: Origin,
): Promise<number | undefined> {
  return inTransaction(deps.db, async (trx) => {
    await lockTeam(trx, teamId);
    const connection = await findConnection(trx, teamId);
    if (connection === undefined) return undefined;
    const sessions = await endConnectionSessions(trx, { connectionId: connection.id });
    await switchOff(trx, teamId);
    await saveTeamSecurity(trx, teamId, { required_connection_id: null });
    const event = { teamId, actorId: null, target: teamId, details: { sessions } };
    await addAuditEvent(trx, deps, { action: 'sso.turned_off', ...event, origin });
    return sessions;
  });
}
