import { listGroupResources } from './group-calls.ts';
import { type ListQuery, toListResponse } from './list-query.ts';
import type { ScimCall } from './scim-call.ts';
import { listUserResources } from './user-calls.ts';

/** A search for all resources lists the kinds in this order. */
const LISTS = { Users: listUserResources, Groups: listGroupResources } as const;
export type Kind = keyof typeof LISTS;

export async function listKind(call: ScimCall, kind: Kind, query: ListQuery): Promise<object> {
  const { resources, total } = await LISTS[kind](call, query);
  return toListResponse(resources, { total, startIndex: query.startIndex });
}

/** Lists users first. */
export async function listAllKinds(call: ScimCall, query: ListQuery): Promise<object> {
  const found: object[] = [];
  let total = 0;
  for (const list of Object.values(LISTS)) {
    const startIndex = Math.max(query.startIndex - total, 1);
    const page = await list(call, { ...query, startIndex, count: query.count - found.length });
    found.push(...page.resources);
    total += page.total;
  }
  return toListResponse(found, { total, startIndex: query.startIndex });
}
