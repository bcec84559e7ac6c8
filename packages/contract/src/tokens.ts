import { z } from 'zod';
import { endpoint } from './api/endpoint.ts';
import { Done } from './api/errors.ts';
import { Id, text } from './api/fields.ts';
import { SMALL_BODY_MAX, TOKEN_NAME_MAX } from './api/limits.ts';
import { ContentKind } from './content.ts';

/** A service token, with which a chat, meeting or phone service imports content. The token itself is shown once. */
export const Token = z.object({
  id: Id,
  name: z.string(),
  /** Kinds of content that it may import; none if it wrote nothing when rights were introduced. */
  kinds: z.array(ContentKind),
  /** Whether a line may name the user it is from; without this, all are from the integration user of the team. */
  speak_for_users: z.boolean(),
  /** Items belong to a source: only its tokens can change them. A token that replaces another has the same source. */
  source_id: Id,
  /** Person who created it; '' for the operator of a team without an owner. */
  created_by: z.string(),
  created_by_name: z.string(),
  created_at: z.int(),
  /** End of its validity, in milliseconds. */
  expires_at: z.int(),
  /** When it stopped because its creator lost the right to create tokens; 0 if they didn't. */
  stopped_at: z.int(),
  /** Last use to the minute, in milliseconds; 0 if it was never used. */
  last_used_at: z.int(),
});
export type Token = z.infer<typeof Token>;

const TeamParams = z.object({ teamId: Id });

/** Service tokens of a team, newest first. */
export const listTokens = endpoint({
  name: 'listTokens',
  method: 'GET',
  path: '/admin/teams/:teamId/tokens',
  summary: 'List the service tokens of the team, newest first.',
  params: TeamParams,
  /** `may_create`: whether the caller may create and remove tokens. */
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
    /** Kinds of content that it may import; all by default. */
    kinds: z.array(ContentKind).min(1, 'must have a kind').max(ContentKind.options.length, 'has too many').optional(),
    /** Whether lines may name the user they are from. */
    speak_for_users: z.boolean().default(false),
    /** Milliseconds since 1970, at most two years ahead; one year ahead by default. */
    expires_at: z.int('must be whole milliseconds since 1970').optional(),
    /** A token of the team whose source it continues. That one is valid for 24 hours more. */
    replaces: Id.optional(),
  }),
  answer: Token.extend({ token: z.string() }),
});

/** Removes a token: the next request with it is refused. For those who may create one. */
export const removeToken = endpoint({
  name: 'removeToken',
  method: 'DELETE',
  path: '/admin/teams/:teamId/tokens/:tokenId',
  summary: 'Remove a service token.',
  params: z.object({ teamId: Id, tokenId: z.string() }),
  answer: Done,
});

/** Who may create and remove service tokens besides owners. */
export const TokenPolicy = z.object({ admins_may_create: z.boolean() });
export type TokenPolicy = z.infer<typeof TokenPolicy>;

/** Whether admins may create service tokens. Only for owners. */
export const getTokenPolicy = endpoint({
  name: 'getTokenPolicy',
  method: 'GET',
  path: '/admin/teams/:teamId/token_policy',
  summary: 'Get whether admins may create service tokens.',
  params: TeamParams,
  answer: TokenPolicy,
});

/** Lets admins create and remove service tokens, or only owners. Only for owners. */
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

/** The default end of a new token, or the latest possible one: so many years after `now`, at the same time of the day. */
export function toTokenExpiry(now: number, years: number): number {
  const at = new Date(now);
  return at.setUTCFullYear(at.getUTCFullYear() + years);
}
