import { isDeepStrictEqual } from 'node:util';
import type { SavedSecurityPolicy, SecurityPolicy, saveSecurityPolicy } from '@steward/contract/security';
import type { Database, Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { isInNetworks, normalizeNetwork } from '#platform/http/network.ts';
import { queueMails } from '#platform/mail/mail.ts';
import type { TeamAdmin } from '#workspace/access/access.ts';
import { listOwnersWithFactors, lockFactors, saveBreakGlassOwners } from '#workspace/access/factors/factors.store.ts';
import { sessionLimits } from '#workspace/access/sessions/sessions.store.ts';
import { NO_RULES } from '#workspace/access/team-security.rules.ts';
import { findTeamSecurity, saveTeamSecurity } from '#workspace/access/team-security.store.ts';
import type { Changed } from '#workspace/changes/change.ts';
import { getTeamName, lockTeam } from '#workspace/users/teams.store.ts';
import { findUserName } from '#workspace/users/users.store.ts';
import { namedOwnersMail } from './named-owners.mail.ts';

type Policy = Pick<SavedSecurityPolicy, keyof SecurityPolicy>;

/** A team that never saved these settings demands nothing of sessions. */
export async function readPolicy(
  db: Database | Trx,
  { env }: Pick<Deps, 'env'>,
  who: TeamAdmin,
): Promise<SavedSecurityPolicy> {
  const { teamId, address } = who;
  const { policy, requires_sso, owners } = await findPolicy(db, teamId);
  const { idleMinutes, hours } = sessionLimits(env);
  return {
    ...policy,
    owners: owners.map(({ id, name, email, has_second_factor }) => ({ id, name, email, has_second_factor })),
    requires_sso,
    your_address: address,
    server_idle_minutes: idleMinutes,
    server_session_hours: hours,
  };
}

/** Saves what the team demands. Networks that leave out the caller are refused: an owner mustn't lock themselves out by mistake. */
export async function changePolicy(
  trx: Trx,
  deps: Deps,
  { who, policy }: { who: TeamAdmin; policy: SecurityPolicy },
): Promise<Changed<typeof saveSecurityPolicy>> {
  const { teamId, userId, address } = who;
  const networks = [...new Set(policy.networks.map(normalizeNetwork))];
  if (networks.length > 0 && !isInNetworks(address, networks)) refuse('security.locks_you_out');
  await lockTeam(trx, teamId);
  const { policy: before } = await findPolicy(trx, teamId);
  const { break_glass_owners: wanted, ...rules } = policy;
  const named = wanted === undefined ? before.break_glass_owners : [...new Set(wanted)].sort();
  const after = { ...rules, networks, break_glass_owners: named };
  if (isDeepStrictEqual(before, after)) return { answer: await readPolicy(trx, deps, who), audit: null };
  const { break_glass_owners: _named, ...saved } = after;
  await saveTeamSecurity(trx, teamId, saved);
  if (named.join() !== before.break_glass_owners.join()) await nameOwners(trx, deps, { teamId, userId, named });
  const event = { action: 'security.saved', teamId, actorId: userId, target: teamId } as const;
  return { answer: await readPolicy(trx, deps, who), audit: { ...event, details: { before, after } } };
}

async function findPolicy(db: Database | Trx, teamId: string) {
  const row = await findTeamSecurity(db, teamId);
  const owners = await listOwnersWithFactors(db, teamId);
  const { required_connection_id, ...rules } = row ?? NO_RULES;
  const break_glass_owners = owners.flatMap(({ id, is_break_glass }) => (is_break_glass ? [id] : [])).sort();
  const policy: Policy = { ...rules, break_glass_owners };
  return { policy, owners, requires_sso: required_connection_id !== null };
}

/** Names the owners who may enter without single sign-on, and emails all owners. */
async function nameOwners(
  trx: Trx,
  deps: Deps,
  { teamId, userId, named }: { teamId: string; userId: string; named: readonly string[] },
): Promise<void> {
  // The factor that the naming relies on can't be removed before the commit.
  for (const id of named) await lockFactors(trx, id);
  const { owners, requires_sso } = await findPolicy(trx, teamId);
  const chosen = owners.filter(({ id }) => named.includes(id));
  if (chosen.length !== named.length || chosen.some(({ has_second_factor }) => !has_second_factor))
    refuse('security.cannot_be_named');
  if (named.length === 0 && requires_sso) refuse('sso.no_break_glass');
  await saveBreakGlassOwners(trx, teamId, named);
  const [by, team] = [await findUserName(trx, userId), await getTeamName(trx, teamId)];
  const mails = owners.map(({ id, email }) => ({
    userId: id,
    mail: namedOwnersMail(deps.env, { to: email, teamId, team, by, named: chosen }),
  }));
  await queueMails(trx, deps, { kind: 'security.break_glass', teamId, mails });
}
