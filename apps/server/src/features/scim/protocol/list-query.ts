import { SCIM_PAGE, SCIM_PAGE_MAX } from '@steward/contract/api/limits';
import { refuse } from '#platform/http/errors.ts';
import type { Filter } from '../filters/filter.ts';
import { parseFilter } from '../filters/parse-filter.ts';
import { readFields, requireSchema } from '../patch-fields.ts';
import { type Projection, readProjection } from './answers/projection.ts';

const SEARCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest';
const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

export interface ListQuery {
  filter: Filter | undefined;
  /** Counted from 1. */
  startIndex: number;
  count: number;
  projection: Projection;
}

export function readListQuery(query: unknown): ListQuery {
  return toListQuery(readFields(query, 'query'));
}

/** A search has the parameters of a list in its body. */
export function readSearch(body: unknown): ListQuery {
  const fields = readFields(body, 'body');
  requireSchema(fields, SEARCH_SCHEMA);
  return toListQuery(fields);
}

/** Requests about one resource have these parameters too. */
export function readResourceQuery(query: unknown): Projection {
  const fields = readFields(query, 'query');
  return readProjection(fields.get('attributes'), fields.get('excludedattributes'));
}

function toListQuery(fields: ReadonlyMap<string, unknown>): ListQuery {
  const filter = fields.get('filter');
  if (filter !== undefined && typeof filter !== 'string') refuse('scim.invalid_filter');
  return {
    filter: filter === undefined || filter === '' ? undefined : parseFilter(filter),
    startIndex: Math.max(readNumber(fields.get('startindex'), 'startIndex') ?? 1, 1),
    count: Math.min(Math.max(readNumber(fields.get('count'), 'count') ?? SCIM_PAGE, 0), SCIM_PAGE_MAX),
    projection: readProjection(fields.get('attributes'), fields.get('excludedattributes')),
  };
}

function readNumber(value: unknown, name: string): number | undefined {
  if (value === undefined || value === '') return undefined;
  if (!/^-?\d{1,9}$/.test(String(value))) refuse('scim.invalid_value', `${name}: must be a whole number`);
  return Number(value);
}

/** RFC 7644, section 3.4.2. */
export function toListResponse(
  resources: readonly object[],
  { total, startIndex }: { total: number; startIndex: number },
) {
  return {
    schemas: [LIST_SCHEMA],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  };
}
