import { z } from 'zod';
import { endpoint } from '../api/endpoint.ts';
import { Done } from '../api/errors.ts';
import { Email, Id, listAnswer, text } from '../api/fields.ts';
import {
  LINK_DOMAINS_MAX,
  LINK_HOURS_MAX,
  LINK_HOURS_MIN,
  LINK_NAME_MAX,
  LINK_USES_MAX,
  SMALL_BODY_MAX,
} from '../api/limits.ts';
import { DomainName } from '../sso/domains.ts';
import { EndDate } from './users.ts';

/**
 * `stopped`: its creator isn't an admin or owner of the team at the moment. It works again if they become one before it
 * ends.
 */
export const InvitationLinkState = z.enum(['open', 'stopped', 'used_up', 'expired', 'revoked']);
export type InvitationLinkState = z.infer<typeof InvitationLinkState>;

/** Anyone who has the link can ask to join the team as a Team User. The address of the link is shown once. */
export const InvitationLink = z.object({
  id: Id,
  /** '' for none. */
  name: z.string(),
  /** Email domains that it admits; every domain when empty. */
  domains: z.array(z.string()),
  max_uses: z.int(),
  /** Users who joined by it, also those who have left since. */
  uses: z.int(),
  /** Invitations that were emailed because of it and wait for an answer. */
  pending: z.int(),
  state: InvitationLinkState,
  created_by: Id,
  created_by_name: z.string(),
  /** Times are milliseconds since 1970. */
  created_at: z.int(),
  expires_at: z.int(),
  /** The end date of those who join; null for none. */
  members_end_on: z.string().nullable(),
});
export type InvitationLink = z.infer<typeof InvitationLink>;

/** A domain as typed: `@Bücher.example` is `xn--bcher-kva.example`, since addresses are ASCII. */
const LinkDomain = z
  .string()
  .max(500, 'is too long')
  .transform((typed) => toAscii(typed.trim().replace(/^@/, '')))
  .pipe(DomainName);

function toAscii(domain: string): string {
  // Other characters of an address would turn it into something else than its host.
  const isDomain = /^[\p{L}\p{M}\p{N}.-]+$/u.test(domain);
  return isDomain && URL.canParse(`http://${domain}`) ? new URL(`http://${domain}`).hostname : domain;
}

const TeamParams = z.object({ teamId: Id });

/** Newest first, at most 200. Links that ended more than 30 days ago are left out. */
export const listInvitationLinks = endpoint({
  name: 'listInvitationLinks',
  method: 'GET',
  path: '/admin/teams/:teamId/invitation_links',
  summary: 'List the invitation links of the team.',
  params: TeamParams,
  answer: listAnswer(InvitationLink),
});

/** Creates a link; only this response contains its address. Refuses with `users.too_many_links`. */
export const addInvitationLink = endpoint({
  name: 'addInvitationLink',
  bodyLimit: SMALL_BODY_MAX,
  method: 'POST',
  path: '/admin/teams/:teamId/invitation_links',
  summary: 'Create an invitation link. It is shown once.',
  params: TeamParams,
  body: z.object({
    name: text(LINK_NAME_MAX).trim().default(''),
    /** Hours until it ends. */
    hours: z
      .int('must be a whole number')
      .min(LINK_HOURS_MIN, `must be at least ${LINK_HOURS_MIN}`)
      .max(LINK_HOURS_MAX, `must be at most ${LINK_HOURS_MAX}`),
    max_uses: z
      .int('must be a whole number')
      .min(1, 'must be at least 1')
      .max(LINK_USES_MAX, `must be at most ${LINK_USES_MAX}`),
    /** Subdomains of a domain aren't admitted by it. */
    domains: z
      .array(LinkDomain)
      .max(LINK_DOMAINS_MAX, `must have at most ${LINK_DOMAINS_MAX} domains`)
      .transform((domains) => [...new Set(domains)])
      .default([]),
    /** The link ends with that day too. */
    members_end_on: EndDate.nullable().default(null),
  }),
  answer: InvitationLink.extend({ url: z.string() }),
});

/** Ends a link at once and cancels the invitations that wait for an answer; members who joined stay. */
export const revokeInvitationLink = endpoint({
  name: 'revokeInvitationLink',
  method: 'DELETE',
  path: '/admin/teams/:teamId/invitation_links/:linkId',
  summary: 'Revoke an invitation link.',
  params: z.object({ teamId: Id, linkId: z.string() }),
  answer: Done,
});

/** Any other text is refused as an unknown link. */
const Token = text(200).min(1, 'is required');

/**
 * Says which team a link leads to. It counts as no use. A link that ended in any way, or never existed, gets
 * `join.link_ended`.
 */
export const checkInvitationLink = endpoint({
  name: 'checkInvitationLink',
  bodyLimit: SMALL_BODY_MAX,
  method: 'POST',
  path: '/join_check',
  summary: 'Check an invitation link.',
  body: z.object({ token: Token }),
  answer: z.object({ team_name: z.string(), domains: z.array(z.string()) }),
});

/**
 * Emails an invitation to an address, which joins the team by accepting it. The response and the work are the same for every
 * address: with and without an account, for members, and for people whom the link doesn't admit. Refuses with
 * `join.link_ended`, `join.domain` or `rate.limited`.
 */
export const askToJoin = endpoint({
  name: 'askToJoin',
  bodyLimit: SMALL_BODY_MAX,
  method: 'POST',
  path: '/join',
  summary: 'Ask to join a team with an invitation link.',
  body: z.object({ token: Token, email: Email }),
  answer: Done,
});
