import { z } from 'zod';
import { endpoint } from './api/endpoint.ts';
import { Done } from './api/errors.ts';
import { Id, text } from './api/fields.ts';
import { TOKEN_NAME_MAX } from './api/limits.ts';

/** A service token: what a chat, meeting or phone service feeds content with. The token itself is shown once (design §3). */
export const Token = z.object({
  id: Id,
  name: z.string(),
  /** Person who made it; '' for the operator. */
  created_by: z.string(),
  created_by_name: z.string(),
  created_at: z.int(),
  /** Last use to the minute, in milliseconds; 0 when it was never used. */
  last_used_at: z.int(),
});
export type Token = z.infer<typeof Token>;

const TeamParams = z.object({ teamId: Id });

/** Service tokens of a team, newest first. */
export const listTokens = endpoint({
  name: 'listTokens',
  method: 'GET',
  path: '/admin/teams/:teamId/tokens',
  summary: 'Service tokens of the team, newest first.',
  params: TeamParams,
  answer: z.object({ records: z.array(Token) }),
});

/** Makes a token; this answer is the only one that holds it. */
export const addToken = endpoint({
  name: 'addToken',
  method: 'POST',
  path: '/admin/teams/:teamId/tokens',
  summary: 'Make a service token. It is shown this once.',
  params: TeamParams,
  body: z.object({ name: text(TOKEN_NAME_MAX).trim().min(1, 'is required') }),
  answer: Token.extend({ token: z.string() }),
});

/** Ends a token: the next call with it is refused. */
export const removeToken = endpoint({
  name: 'removeToken',
  method: 'DELETE',
  path: '/admin/teams/:teamId/tokens/:tokenId',
  summary: 'End a service token.',
  params: z.object({ teamId: Id, tokenId: z.string() }),
  answer: Done,
});
