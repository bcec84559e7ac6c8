import { Refusal, refuse } from '#platform/http/errors.ts';
import { listGroupResources } from './group-calls.ts';
import { type ListQuery, toListResponse } from './list-query.ts';
import type { ScimCall } from './scim-call.ts';
import { listUserResources } from './user-calls.ts';

/** Kinds of resources, in the order in which a search for all of them lists them. */
const LISTS = { Users: listUserResources, Groups: listGroupResources } as const;
export type Kind = keyof typeof LISTS;

/** One page of one kind. */
export async function listKind(call: ScimCall, kind: Kind, query: ListQuery): Promise<object> {
  const { resources, total } = await LISTS[kind](call, query);
  return toListResponse(resources, { total, startIndex: query.startIndex });
}

/** One page of all kinds: users first. A kind that the filter can't be about has no matches. */
export async function listAllKinds(call: ScimCall, query: ListQuery): Promise<object> {
  const found: object[] = [];
  let total = 0;
  let refusals = 0;
  for (const list of Object.values(LISTS)) {
    const startIndex = Math.max(query.startIndex - total, 1);
    const page = await list(call, { ...query, startIndex, count: query.count - found.length }).catch((error) => {
      if (!(error instanceof Refusal) || error.id !== 'scim.invalid_filter') throw error;
      refusals += 1;
      return { resources: [], total: 0 };
    });
    found.push(...page.resources);
    total += page.total;
  }
  if (refusals === Object.keys(LISTS).length) refuse('scim.invalid_filter');
  return toListResponse(found, { total, startIndex: query.startIndex });
}
