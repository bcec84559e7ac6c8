// Filters of SCIM (RFC 7644, section 3.4.2.2) and the paths of PATCH, which contain filters (section 3.5.2).

export const COMPARISONS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const;
export type Comparison = (typeof COMPARISONS)[number];

export type FilterValue = string | number | boolean | null;

/** A parsed filter. Attributes are lowercase, without the name of their schema. */
export type Filter =
  | { kind: 'and' | 'or'; filters: readonly [Filter, Filter] }
  | { kind: 'not'; filter: Filter }
  | { kind: 'present'; attribute: string }
  | { kind: 'compare'; attribute: string; comparison: Comparison; value: FilterValue }
  /** `emails[type eq "work"]`: one value of the attribute must match the whole filter. */
  | { kind: 'some'; attribute: string; filter: Filter };

/** A path of an operation: `name.givenName`, or `emails[type eq "work"].value`. Names are lowercase. */
export interface Path {
  attribute: string;
  filter?: Filter;
  sub?: string;
}

/** Maximum comparisons for matching one value. */
export function countConditions(filter: Filter): number {
  if (filter.kind === 'and' || filter.kind === 'or')
    return filter.filters.reduce((sum, each) => sum + countConditions(each), 0);
  return filter.kind === 'not' || filter.kind === 'some' ? countConditions(filter.filter) : 1;
}

/** Returns the conditions that must all hold. */
export function listConjuncts(filter: Filter): readonly Filter[] {
  return filter.kind === 'and' ? filter.filters.flatMap(listConjuncts) : [filter];
}
