import { randomBytes } from 'node:crypto';
import { DOMAINS_PER_TEAM } from '@steward/contract/api/limits';
import type { addDomain, Domain, removeDomain } from '@steward/contract/sso/domains';
import { isUniqueViolation, type Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import type { Authorize, Origin } from '#platform/http/http.ts';
import type { NameResolver } from '#platform/outbound/resolver.ts';
import type { TeamAdmin } from '#workspace/access/access.ts';
import { inAuthorizedTransaction } from '#workspace/access/authorized-transaction.ts';
import { addAuditEvent } from '#workspace/audit/audit.store.ts';
import type { Changed, TeamActor } from '#workspace/changes/change.ts';
import { findProvedDomain } from '#workspace/users/identity-providers/connections.store.ts';
import { lockTeam } from '#workspace/users/teams.store.ts';
import { isSharedDomain, RECORD_PREFIX, toRecordValue } from './domain.rules.ts';
import {
  addDomainRow,
  type DomainRow,
  findDomain,
  listDomainRows,
  removeDomainRow,
  saveProved,
} from './domains.store.ts';

export function toDomain({ id, domain, token, verified_at, missing_since }: DomainRow): Domain {
  const record = { name: `${RECORD_PREFIX}.${domain}`, type: 'TXT' as const, value: toRecordValue(token) };
  return { id, domain, record, verified_at, missing_since };
}

/** The record contains 128 random bits. Adding the same domain again returns the same record. */
export async function addTeamDomain(
  trx: Trx,
  { teamId, actorId }: TeamActor,
  domain: string,
): Promise<Changed<typeof addDomain>> {
  if (isSharedDomain(domain)) refuse('domains.public');
  await lockTeam(trx, teamId);
  const known = await listDomainRows(trx, teamId);
  const same = known.find((row) => row.domain === domain);
  if (same !== undefined) return { answer: toDomain(same), audit: null };
  const owner = await findProvedDomain(trx, domain);
  if (owner !== undefined) refuse('domains.taken');
  if (known.length >= DOMAINS_PER_TEAM) refuse('domains.too_many');
  const added = await addDomainRow(trx, { teamId, domain, token: randomBytes(16).toString('hex') });
  const details = { email_domain: domain };
  return { answer: toDomain(added), audit: { action: 'sso.domain_added', teamId, actorId, target: teamId, details } };
}

/** Queries DNS outside of any transaction, then marks the domain as verified. */
export async function verifyTeamDomain(
  { deps, resolver }: { deps: Deps; resolver: NameResolver },
  { teamId, actorId }: TeamActor,
  { domainId, authorize, origin }: { domainId: string; authorize: Authorize<TeamAdmin>; origin: Origin },
): Promise<Domain> {
  const row = (await findDomain(deps.db, teamId, domainId)) ?? refuse('record.not_found');
  if (!(await hasRecord(resolver, row))) refuse('domains.not_found');
  return inAuthorizedTransaction({ db: deps.db, authorize }, async (trx) => {
    const current = (await findDomain(trx, teamId, domainId)) ?? refuse('record.not_found');
    const owner = await findProvedDomain(trx, row.domain);
    if (owner !== undefined && owner.team_id !== teamId) refuse('domains.taken');
    await saveProved(trx, teamId, domainId).catch((error) => {
      if (isUniqueViolation(error)) refuse('domains.taken');
      throw error;
    });
    const event = { teamId, actorId, target: teamId, details: { email_domain: row.domain } };
    if (current.verified_at === null || current.missing_since !== null)
      await addAuditEvent(trx, deps, { action: 'sso.domain_verified', ...event, origin });
    return toDomain((await findDomain(trx, teamId, domainId)) ?? refuse('record.not_found'));
  });
}

/** No response from DNS counts as a missing record. */
async function hasRecord(resolver: NameResolver, { domain, token }: DomainRow): Promise<boolean> {
  const texts = await resolver.findTexts(`${RECORD_PREFIX}.${domain}`).catch(() => []);
  return texts.some((text) => text.trim() === toRecordValue(token));
}

export async function removeTeamDomain(
  trx: Trx,
  { teamId, actorId }: TeamActor,
  domainId: string,
): Promise<Changed<typeof removeDomain>> {
  const row = (await findDomain(trx, teamId, domainId)) ?? refuse('record.not_found');
  if (!(await removeDomainRow(trx, teamId, domainId))) refuse('record.not_found');
  const details = { email_domain: row.domain };
  const audit = { action: 'sso.domain_removed' as const, teamId, actorId, target: teamId, details };
  return { answer: { status_code: 200 }, audit };
}
