import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import type { Guard } from '#platform/http/http.ts';
import { findServiceToken, recordServiceTokenUse } from './tokens.store.ts';

/** A service that imports content of the team in the path. */
export interface Service {
  tokenId: string;
  teamId: string;
  /** The source that its items belong to. */
  sourceId: string;
  /** Kinds of content that it may import. */
  kinds: ReadonlySet<string>;
  /** Whether its lines may name the users they are from. */
  speaksForUsers: boolean;
}

const BEARER = /^Bearer +(stw_[A-Za-z0-9_-]{43})$/i;

/** Guard that checks `Authorization: Bearer …` and ignores session cookies. */
export function serviceGuard(deps: Deps): Guard<Service> {
  return async (request) => {
    const { teamId = '' } = request.params as { teamId?: string };
    const token = BEARER.exec(request.headers.authorization ?? '')?.[1];
    const known = token === undefined ? undefined : await findServiceToken(deps.db, token);
    if (!known) refuse('token.required');
    if (known.team_id !== teamId) refuse('token.other_team');
    if (known.is_stale) await recordServiceTokenUse(deps.db, known);
    const { id: tokenId, source_id: sourceId, speak_for_users: speaksForUsers } = known;
    return { tokenId, teamId, sourceId, kinds: new Set(known.kinds), speaksForUsers };
  };
}
