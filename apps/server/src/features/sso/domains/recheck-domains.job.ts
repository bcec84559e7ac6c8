import { inTransaction } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { defineJob, defineWorker } from '#platform/jobs/jobs.ts';
import { queueMail } from '#platform/mail/mail.ts';
import { createResolver, type NameResolver } from '#platform/outbound/resolver.ts';
import { addAuditEvent, JOB_ORIGIN } from '#workspace/audit/audit.store.ts';
import { listOwners } from '#workspace/users/managers.store.ts';
import { getTeamName } from '#workspace/users/teams.store.ts';
import { RECORD_PREFIX, toRecordValue } from './domain.rules.ts';
import { domainMissingMail } from './domain-missing.mail.ts';
import { clearMissing, type DomainRow, listProvedRows, saveMissing } from './domains.store.ts';

const PAGE = 200;

/** Queries the records of verified domains once a day, because a domain may have been sold. */
const recheck = defineJob({
  name: 'sso.recheck_domains',
  retries: 2,
  retrySeconds: 300,
  schedule: '41 3 * * *',
});

export function createRecheckDomainsWorker(deps: Deps) {
  return defineWorker(recheck, () => recheckDomains(deps, createResolver(deps.env)));
}

/** A domain is unchanged if DNS doesn't respond. */
export async function recheckDomains(deps: Deps, resolver: NameResolver): Promise<void> {
  for (let after = ''; ; ) {
    const rows = await listProvedRows(deps.db, after, PAGE);
    for (const row of rows) {
      const texts = await resolver.findTexts(`${RECORD_PREFIX}.${row.domain}`).catch(() => undefined);
      if (texts === undefined) continue;
      const isThere = texts.some((text) => text.trim() === toRecordValue(row.token));
      if (!isThere) await recordMissing(deps, row);
      else if (row.missing_since !== null) await inTransaction(deps.db, (trx) => clearMissing(trx, row));
    }
    const last = rows.at(-1);
    if (rows.length < PAGE || last === undefined) return;
    after = last.id;
  }
}

/** Emails the owners on the first day, and when the domain is no longer verified. */
async function recordMissing(deps: Deps, row: DomainRow): Promise<void> {
  const { team_id: teamId, domain } = row;
  await inTransaction(deps.db, async (trx) => {
    const result = await saveMissing(trx, row);
    if (result === 'waiting') return;
    const action = result === 'first' ? 'sso.domain_missing' : 'sso.domain_lost';
    await addAuditEvent(trx, deps, {
      action,
      teamId,
      actorId: null,
      target: teamId,
      details: { email_domain: domain },
      origin: JOB_ORIGIN,
    });
    const team = await getTeamName(trx, teamId);
    for (const { id, email } of await listOwners(trx, teamId)) {
      const mail = domainMissingMail(deps.env, { to: email, teamId, team, domain, isLost: result === 'lost' });
      await queueMail(trx, deps, { kind: 'sso.domain_missing', userId: id, teamId, mail });
    }
  });
}
