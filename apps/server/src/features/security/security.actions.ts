import type { SavedSecurityPolicy, SecurityPolicy, saveSecurityPolicy } from '@steward/contract/security';
import type { Database, Trx } from '#platform/database/database.ts';
import type { Env } from '#platform/env.ts';
import { refuse } from '#platform/http/errors.ts';
import { isInNetworks, normalizeNetwork } from '#platform/http/network.ts';
import type { TeamAdmin } from '#workspace/access/access.ts';
import { sessionLimits } from '#workspace/access/sessions/sessions.store.ts';
import { findTeamSecurity, saveTeamSecurity } from '#workspace/access/team-security.store.ts';
import type { Changed } from '#workspace/changes/change.ts';
import { lockTeam } from '#workspace/people/teams.store.ts';

/** A team that never saved these settings demands nothing of sessions. */
export async function readPolicy(db: Database | Trx, env: Env, who: TeamAdmin): Promise<SavedSecurityPolicy> {
  return toAnswer(await findPolicy(db, who.teamId), env, who);
}

/** Saves what the team demands. Networks that leave out the caller are refused: an owner mustn't lock themselves out by mistake. */
export async function changePolicy(
  trx: Trx,
  env: Env,
  { who, policy }: { who: TeamAdmin; policy: SecurityPolicy },
): Promise<Changed<typeof saveSecurityPolicy>> {
  const { teamId, personId, address } = who;
  const networks = [...new Set(policy.networks.map(normalizeNetwork))];
  if (networks.length > 0 && !isInNetworks(address, networks)) refuse('security.locks_you_out');
  await lockTeam(trx, teamId);
  const before = await findPolicy(trx, teamId);
  const after = { ...policy, networks };
  const answer = toAnswer(after, env, who);
  if (JSON.stringify(before) === JSON.stringify(after)) return { answer, audit: null };
  await saveTeamSecurity(trx, teamId, after);
  const event = { action: 'security.saved', teamId, actorId: personId, target: teamId } as const;
  return { answer, audit: { ...event, details: { before, after } } };
}

async function findPolicy(db: Database | Trx, teamId: string): Promise<SecurityPolicy> {
  const row = await findTeamSecurity(db, teamId);
  const { require_mfa = 'none', idle_minutes = null, session_hours = null, networks = [] } = row ?? {};
  return { require_mfa, idle_minutes, session_hours, networks };
}

function toAnswer(policy: SecurityPolicy, env: Env, { address }: TeamAdmin): SavedSecurityPolicy {
  const { idleMinutes, hours } = sessionLimits(env);
  return { ...policy, your_address: address, server_idle_minutes: idleMinutes, server_session_hours: hours };
}
