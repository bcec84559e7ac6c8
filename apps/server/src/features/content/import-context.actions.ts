import type { Deps } from '#platform/deps.ts';
import type { Authorize } from '#platform/http/http.ts';
import type { Service } from '#workspace/access/access.ts';
import { inAuthorizedTransaction } from '#workspace/access/authorized-transaction.ts';
import { hasContentWithoutSource } from '#workspace/content/items.store.ts';
import { type Cutoffs, getCutoffs } from '#workspace/content/retention/retention-scope.rules.ts';
import { findTeamRules } from '#workspace/content/retention/team-rules.store.ts';
import { ensureContentUser } from '#workspace/users/add-members.actions.ts';

/** The facts are read when the first batch of a request needs them. */
export interface ImportContext {
  service: Service;
  authorize: Authorize<Service>;
  /** Author of items that name none: the integration user, or '' if the token may name users. */
  getAuthor(): Promise<string>;
  /** Stored items of earlier versions may have no source yet. */
  hasOldContent(): Promise<boolean>;
  /** The cutoffs are at most some seconds old; null if the team's rules delete nothing. */
  getCutoffs(): Promise<Cutoffs | null>;
}

/** Lifetime of cached cutoffs in milliseconds. A stricter rule takes effect a day after it was saved. */
const CUTOFFS_MS = 5_000;

export function createImportContext(deps: Deps, service: Service, authorize: Authorize<Service>): ImportContext {
  const { teamId } = service;
  let author: Promise<string> | undefined;
  let hasOld: Promise<boolean> | undefined;
  let cutoffs: { at: number; value: Cutoffs | null } | undefined;
  const findAuthor = async () =>
    service.speaksForUsers
      ? ''
      : inAuthorizedTransaction({ db: deps.db, authorize }, (trx) => ensureContentUser(trx, teamId));
  return {
    service,
    authorize,
    getAuthor: () => (author ??= findAuthor()),
    hasOldContent: () => (hasOld ??= hasContentWithoutSource(deps.db, teamId)),
    async getCutoffs() {
      if (cutoffs && performance.now() - cutoffs.at < CUTOFFS_MS) return cutoffs.value;
      const rules = await findTeamRules(deps.db, teamId);
      cutoffs = { at: performance.now(), value: rules ? getCutoffs(teamId, rules) : null };
      return cutoffs.value;
    },
  };
}
