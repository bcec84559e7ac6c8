import { z } from 'zod';
import { endpoint } from '../api/endpoint.ts';
import { Done } from '../api/errors.ts';
import { Id } from '../api/fields.ts';

const TeamParams = z.object({ teamId: Id });
const DomainParams = z.object({ teamId: Id, domainId: Id });

/** Lowercase ASCII, as in DNS. */
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

/** The record in DNS verifies that the domain belongs to the team. */
export const Domain = z.object({
  id: Id,
  domain: z.string(),
  record: z.object({ name: z.string(), type: z.literal('TXT'), value: z.string() }),
  /** Time of the verification, in milliseconds; null until then, and after the record has been missing for days. */
  verified_at: z.int().nullable(),
  /** Time at which the record of a verified domain was first missing, in milliseconds; null if it isn't missing. */
  missing_since: z.int().nullable(),
});
export type Domain = z.infer<typeof Domain>;

/** Sorted by name. Only for owners. */
export const listDomains = endpoint({
  name: 'listDomains',
  method: 'GET',
  path: '/admin/teams/:teamId/domains',
  summary: 'List the email domains of the team.',
  params: TeamParams,
  answer: z.object({ records: z.array(Domain) }),
});

/** Returns the DNS record that verifies the domain; repeated, the same record. */
export const addDomain = endpoint({
  name: 'addDomain',
  method: 'POST',
  path: '/admin/teams/:teamId/domains',
  summary: 'Add an email domain, which a DNS record then proves.',
  params: TeamParams,
  body: z.object({ domain: DomainName }),
  answer: Domain,
});

/** A domain belongs to the first team that verifies it. */
export const verifyDomain = endpoint({
  name: 'verifyDomain',
  method: 'POST',
  path: '/admin/teams/:teamId/domains/:domainId/verify',
  summary: 'Look for the DNS record of an email domain.',
  params: DomainParams,
  answer: Domain,
});

/** Users who are already linked can still sign in. */
export const removeDomain = endpoint({
  name: 'removeDomain',
  method: 'DELETE',
  path: '/admin/teams/:teamId/domains/:domainId',
  summary: 'Remove an email domain.',
  params: DomainParams,
  answer: Done,
});
