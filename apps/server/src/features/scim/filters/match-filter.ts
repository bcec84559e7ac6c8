import type { Comparison, Filter, FilterValue } from './filter.ts';

/** Matches one value of a multi-valued attribute, such as one email address. Texts are compared case-insensitively. */
export function matchesFilter(item: Readonly<Record<string, unknown>>, filter: Filter): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.filters.every((each) => matchesFilter(item, each));
    case 'or':
      return filter.filters.some((each) => matchesFilter(item, each));
    case 'not':
      return !matchesFilter(item, filter.filter);
    case 'present':
      return isPresent(getValue(item, filter.attribute));
    case 'compare':
      return compares(getValue(item, filter.attribute), filter.comparison, filter.value);
    default:
      return false;
  }
}

function getValue(item: Readonly<Record<string, unknown>>, attribute: string): unknown {
  return Object.entries(item).find(([name]) => name.toLowerCase() === attribute)?.[1];
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

function compares(actual: unknown, comparison: Comparison, wanted: FilterValue): boolean {
  // An absent boolean, such as `primary`, is false.
  const left = fold(actual ?? (typeof wanted === 'boolean' ? false : null));
  const right = fold(wanted);
  if (comparison === 'eq') return left === right;
  if (comparison === 'ne') return left !== right;
  if (typeof left !== 'string' || typeof right !== 'string') return false;
  return COMPARE[comparison](left, right);
}

const fold = (value: unknown) => (typeof value === 'string' ? value.toLowerCase() : value);

const COMPARE: Readonly<Record<Exclude<Comparison, 'eq' | 'ne'>, (left: string, right: string) => boolean>> = {
  co: (left, right) => left.includes(right),
  sw: (left, right) => left.startsWith(right),
  ew: (left, right) => left.endsWith(right),
  gt: (left, right) => left > right,
  ge: (left, right) => left >= right,
  lt: (left, right) => left < right,
  le: (left, right) => left <= right,
};
