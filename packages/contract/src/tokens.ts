import { z } from 'zod';
import { endpoint } from './api/endpoint.ts';
import { Done } from './api/errors.ts';
import { Id, text } from './api/fields.ts';
import { TOKEN_NAME_MAX } from './api/limits.ts';

/** A service token, with which a chat, meeting or phone service imports content. The token itself is shown once. */
export const Token = z.object({
  id: Id,
  name: z.string(),
  /** Person who created it; '' for the operator. */
  created_by: z.string(),
  created_by_name: z.string(),
  created_at: z.int(),
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
  answer: z.object({ records: z.array(Token) }),
});

/** Creates a token; only this response contains it. */
export const addToken = endpoint({
  name: 'addToken',
  method: 'POST',
  path: '/admin/teams/:teamId/tokens',
  summary: 'Create a service token. It is shown once.',
  params: TeamParams,
  body: z.object({ name: text(TOKEN_NAME_MAX).trim().min(1, 'is required') }),
  answer: Token.extend({ token: z.string() }),
});

/** Removes a token: the next request with it is refused. */
export const removeToken = endpoint({
  name: 'removeToken',
  method: 'DELETE',
  path: '/admin/teams/:teamId/tokens/:tokenId',
  summary: 'Remove a service token.',
  params: z.object({ teamId: Id, tokenId: z.string() }),
  answer: Done,
});
