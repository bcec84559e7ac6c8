import { z } from 'zod';
import { endpoint } from '../api/endpoint.ts';
import { Done } from '../api/errors.ts';
import { Id } from '../api/fields.ts';

const TeamParams = z.object({ teamId: Id });
const DomainParams = z.object({ teamId: Id, domainId: Id });

/** A domain of email addresses, in lowercase ASCII as DNS has it. */
export const DomainName = z
  .string()
  .max(500, 'is too long')
  .transform((value) => value.trim().replace(/\.$/, '').toLowerCase())
  .pipe(
    z
      .string()
      .max(190, 'is too long')
      .regex(/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,8}[a-z][a-z0-9-]{0,61}[a-z0-9]$/, 'is not a domain'),
  );

/** A domain of a team. Its owner adds the record to DNS to prove that the domain is theirs. */
export const Domain = z.object({
  id: Id,
  domain: z.string(),
  record: z.object({ name: z.string(), type: z.literal('TXT'), value: z.string() }),
  /** When it was proved, in milliseconds; null until then, and after the record was gone for days. */
  verified_at: z.int().nullable(),
  /** Since when the record of a proved domain is missing, in milliseconds; null while it is there. */
  missing_since: z.int().nullable(),
});
export type Domain = z.infer<typeof Domain>;

/** Domains of the team, by name. Only for owners. */
export const listDomains = endpoint({
  name: 'listDomains',
  method: 'GET',
  path: '/admin/teams/:teamId/domains',
  summary: 'List the email domains of the team.',
  params: TeamParams,
  answer: z.object({ records: z.array(Domain) }),
});

/** Adds a domain, and answers the DNS record that proves it. Adding one again answers the same record. */
export const addDomain = endpoint({
  name: 'addDomain',
  method: 'POST',
  path: '/admin/teams/:teamId/domains',
  summary: 'Add an email domain, which a DNS record then proves.',
  params: TeamParams,
  body: z.object({ domain: DomainName }),
  answer: Domain,
});

/** Looks for the record in DNS. A domain belongs to the team that proves it first. */
export const verifyDomain = endpoint({
  name: 'verifyDomain',
  method: 'POST',
  path: '/admin/teams/:teamId/domains/:domainId/verify',
  summary: 'Look for the DNS record of an email domain.',
  params: DomainParams,
  answer: Domain,
});

/** Removes a domain. Users who are already linked can still sign in. */
export const removeDomain = endpoint({
  name: 'removeDomain',
  method: 'DELETE',
  path: '/admin/teams/:teamId/domains/:domainId',
  summary: 'Remove an email domain.',
  params: DomainParams,
  answer: Done,
});
