import { z } from 'zod';
import { EXPORT } from '../api/costs.ts';
import { endpoint } from '../api/endpoint.ts';
import { Done } from '../api/errors.ts';
import { Flag, Id, LastKey, listAnswer, listQuery, text } from '../api/fields.ts';
import { SMALL_BODY_MAX, TOKEN_NAME_MAX } from '../api/limits.ts';

/** Path of SCIM 2.0. Its calls have the form of RFC 7644, so they aren't endpoints of the API. */
export const SCIM_BASE = '/scim/v2';

/** A token with which an identity provider provisions users. The token itself is shown once. */
export const ScimToken = z.object({
  id: Id,
  name: z.string(),
  /** The owner who created it. */
  created_by: z.string(),
  created_by_name: z.string(),
  created_at: z.int(),
  /** Time at which it stopped because its creator was no longer an owner of the team; 0 if it works. */
  stopped_at: z.int(),
  /** Last use to the minute, in milliseconds; 0 if it was never used. */
  last_used_at: z.int(),
});
export type ScimToken = z.infer<typeof ScimToken>;

/** Times are in milliseconds; 0 for never. */
export const ScimHealth = z.object({
  /** Last call with a token, to the minute. */
  last_call_at: z.int(),
  /** Changes and refused calls within the last 24 hours. */
  changes: z.int(),
  failures: z.int(),
  last_failure_at: z.int(),
  /** Users and groups that the identity provider manages. */
  users: z.int(),
  groups: z.int(),
});
export type ScimHealth = z.infer<typeof ScimHealth>;

const TeamParams = z.object({ teamId: Id });

/** `base_url` is the address to enter at the identity provider. Only for owners. */
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
  at: z.int(),
  method: z.string(),
  path: z.string(),
  /** The body without passwords; '' for none. Long bodies are cut. */
  request: z.string(),
  status: z.int(),
  /** The result, as a sentence. */
  effect: z.string(),
  request_id: z.string(),
});
export type ScimLogEntry = z.infer<typeof ScimLogEntry>;

/** Newest first. Kept for 30 days. Only for owners. */
export const listScimLog = endpoint({
  name: 'listScimLog',
  costs: [EXPORT],
  method: 'GET',
  path: '/admin/teams/:teamId/scim_log',
  summary: 'List the calls of the identity provider that changed something or were refused, newest first.',
  params: TeamParams,
  /** `failed` selects refused calls. */
  query: z.object({ last_key: LastKey.optional(), limit: listQuery.limit, failed: Flag }),
  answer: listAnswer(ScimLogEntry),
});
