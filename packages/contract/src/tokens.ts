import { z } from 'zod';
import { endpoint } from './api/endpoint.ts';
import { Done } from './api/errors.ts';
import { Id, text } from './api/fields.ts';
import { SMALL_BODY_MAX, TOKEN_NAME_MAX } from './api/limits.ts';
import { ContentKind } from './content.ts';

/** A chat, meeting or phone service imports content with a service token. The token itself is shown once. */
export const Token = z.object({
  id: Id,
  name: z.string(),
  /** Kinds of content that the token may import; empty if it had imported nothing when this right was introduced. */
  kinds: z.array(ContentKind),
  /** True if lines may name their author; otherwise all are from the integration user of the team. */
  speak_for_users: z.boolean(),
  /** Only tokens of the same source can change an item. A token that replaces another one has its source. */
  source_id: Id,
  /** User who created it; '' for the operator of a team without an owner. */
  created_by: z.string(),
  created_by_name: z.string(),
  created_at: z.int(),
  /** End of its validity, in milliseconds. */
  expires_at: z.int(),
  /** Time at which it stopped because its creator lost the right to create tokens; 0 if they have it. */
  stopped_at: z.int(),
  /** Last use to the minute, in milliseconds; 0 if it was never used. */
  last_used_at: z.int(),
});
export type Token = z.infer<typeof Token>;

const TeamParams = z.object({ teamId: Id });

export const listTokens = endpoint({
  name: 'listTokens',
  method: 'GET',
  path: '/admin/teams/:teamId/tokens',
  summary: 'List the service tokens of the team, newest first.',
  params: TeamParams,
  /** `may_create` is true if the caller may create and remove tokens. */
  answer: z.object({ records: z.array(Token), may_create: z.boolean() }),
});

/**
 * Creates a token; only this response contains it. Only for owners, and for admins if the owners allow it
 * (`team.owner_required`).
 */
export const addToken = endpoint({
  name: 'addToken',
  method: 'POST',
  path: '/admin/teams/:teamId/tokens',
  summary: 'Create a service token. It is shown once.',
  params: TeamParams,
  body: z.object({
    name: text(TOKEN_NAME_MAX).trim().min(1, 'is required'),
    /** All kinds by default. */
    kinds: z.array(ContentKind).min(1, 'must have a kind').max(ContentKind.options.length, 'has too many').optional(),
    speak_for_users: z.boolean().default(false),
    /** Milliseconds since 1970, at most two years ahead; one year ahead by default. */
    expires_at: z.int('must be whole milliseconds since 1970').optional(),
    /** A token of the team whose source the new token gets. The old one stays valid for 24 hours. */
    replaces: Id.optional(),
  }),
  answer: Token.extend({ token: z.string() }),
});

/** The next request with the token is refused. For users who may create tokens. */
export const removeToken = endpoint({
  name: 'removeToken',
  method: 'DELETE',
  path: '/admin/teams/:teamId/tokens/:tokenId',
  summary: 'Remove a service token.',
  params: z.object({ teamId: Id, tokenId: z.string() }),
  answer: Done,
});

export const TokenPolicy = z.object({ admins_may_create: z.boolean() });
export type TokenPolicy = z.infer<typeof TokenPolicy>;

/** Only for owners. */
export const getTokenPolicy = endpoint({
  name: 'getTokenPolicy',
  method: 'GET',
  path: '/admin/teams/:teamId/token_policy',
  summary: 'Get whether admins may create service tokens.',
  params: TeamParams,
  answer: TokenPolicy,
});

/** Only for owners. */
export const saveTokenPolicy = endpoint({
  name: 'saveTokenPolicy',
  bodyLimit: SMALL_BODY_MAX,
  method: 'PUT',
  path: '/admin/teams/:teamId/token_policy',
  summary: 'Let admins create service tokens, or only owners.',
  params: TeamParams,
  body: TokenPolicy,
  answer: TokenPolicy,
});

/** The end of a token's validity, some years after `now` at the same time of the day. */
export function toTokenExpiry(now: number, years: number): number {
  const at = new Date(now);
  return at.setUTCFullYear(at.getUTCFullYear() + years);
}
