import { z } from 'zod';
import { EXPORT } from '../api/costs.ts';
import { endpoint } from '../api/endpoint.ts';
import { Done } from '../api/errors.ts';
import { Flag, Id, LastKey, listAnswer, listQuery, text } from '../api/fields.ts';
import { SMALL_BODY_MAX, TOKEN_NAME_MAX } from '../api/limits.ts';

/** Path of SCIM 2.0 below the server's root. Its calls have the form of RFC 7644, so they are no endpoints of the API. */
export const SCIM_BASE = '/scim/v2';

/** A token that an identity provider provisions users with. The token itself is shown once. */
export const ScimToken = z.object({
  id: Id,
  name: z.string(),
  /** The owner who created it. */
  created_by: z.string(),
  created_by_name: z.string(),
  created_at: z.int(),
  /** When it stopped because its creator was no longer an owner of the team; 0 if it works. */
  stopped_at: z.int(),
  /** Last use to the minute, in milliseconds; 0 if it was never used. */
  last_used_at: z.int(),
});
export type ScimToken = z.infer<typeof ScimToken>;

/** How provisioning is doing. Times are in milliseconds; 0 for never. */
export const ScimHealth = z.object({
  /** Last call with a token, to the minute. */
  last_call_at: z.int(),
  /** Changes within the last 24 hours that were made, and calls that were refused. */
  changes: z.int(),
  failures: z.int(),
  last_failure_at: z.int(),
  /** Users and groups that the identity provider manages. */
  users: z.int(),
  groups: z.int(),
});
export type ScimHealth = z.infer<typeof ScimHealth>;

const TeamParams = z.object({ teamId: Id });

/** Provisioning of a team: its tokens, newest first, where the identity provider sends to, and how it is doing. Only for owners. */
export const listScimTokens = endpoint({
  name: 'listScimTokens',
  method: 'GET',
  path: '/admin/teams/:teamId/scim_tokens',
  summary: 'List the provisioning tokens of the team, newest first, with the base URL and the state of provisioning.',
  params: TeamParams,
  answer: z.object({ records: z.array(ScimToken), base_url: z.string(), health: ScimHealth }),
});

/** Creates a token; only this response contains it. Only for owners. */
export const addScimToken = endpoint({
  name: 'addScimToken',
  bodyLimit: SMALL_BODY_MAX,
  method: 'POST',
  path: '/admin/teams/:teamId/scim_tokens',
  summary: 'Create a provisioning token. It is shown once.',
  params: TeamParams,
  body: z.object({ name: text(TOKEN_NAME_MAX).trim().min(1, 'is required') }),
  answer: z.object({ id: Id, name: z.string(), token: z.string(), base_url: z.string() }),
});

/** Removes a token: the next request with it is refused. Only for owners. */
export const removeScimToken = endpoint({
  name: 'removeScimToken',
  method: 'DELETE',
  path: '/admin/teams/:teamId/scim_tokens/:tokenId',
  summary: 'Remove a provisioning token.',
  params: z.object({ teamId: Id, tokenId: z.string() }),
  answer: Done,
});

/** A call of the identity provider that changed something or was refused. */
export const ScimLogEntry = z.object({
  id: Id,
  /** In milliseconds. */
  at: z.int(),
  method: z.string(),
  /** With its query. */
  path: z.string(),
  /** The body as it was sent, without passwords; '' for none. Long ones are cut. */
  request: z.string(),
  /** HTTP status of the answer. */
  status: z.int(),
  /** What became of it, as a sentence. */
  effect: z.string(),
  /** As in the server's log. */
  request_id: z.string(),
});
export type ScimLogEntry = z.infer<typeof ScimLogEntry>;

/** What the identity provider sent and what became of it, newest first. Kept for 30 days. Only for owners. */
export const listScimLog = endpoint({
  name: 'listScimLog',
  costs: [EXPORT],
  method: 'GET',
  path: '/admin/teams/:teamId/scim_log',
  summary: 'List the calls of the identity provider that changed something or were refused, newest first.',
  params: TeamParams,
  /** `failed`: only those that were refused. */
  query: z.object({ last_key: LastKey.optional(), limit: listQuery.limit, failed: Flag }),
  answer: listAnswer(ScimLogEntry),
});
