import { type RawBuilder, sql } from 'kysely';
import { refuse } from '#platform/http/errors.ts';
import { type Comparison, type Filter, type FilterValue, listConjuncts } from '../filters/filter.ts';

interface Column {
  kind: 'text' | 'exact' | 'boolean' | 'time';
  value: RawBuilder<unknown>;
}

const text = (expression: string): Column => ({ kind: 'text', value: sql.raw(expression) });

/** Attributes of a user that filters may use. They need `u`, a row of `selectUsers`. */
const COLUMNS: ReadonlyMap<string, Column> = new Map(
  Object.entries({
    id: { kind: 'exact', value: sql.raw('u.id') },
    externalid: { kind: 'exact', value: sql.raw('u.external_id') },
    username: text('u.user_name'),
    displayname: text('u.display_name'),
    'name.givenname': text('u.given_name'),
    'name.familyname': text('u.family_name'),
    'name.formatted': text("trim(u.given_name || ' ' || u.family_name)"),
    active: { kind: 'boolean', value: sql.raw("coalesce(u.state in ('active', 'invited'), false)") },
    'meta.created': { kind: 'time', value: sql.raw('u.created') },
    'meta.lastmodified': { kind: 'time', value: sql.raw('u.modified') },
  } satisfies Record<string, Column>),
);

/** Parts of a list's value. They need `e`, the value as JSON. */
const PARTS: ReadonlyMap<string, Column> = new Map(
  Object.entries({
    value: text("e ->> 'value'"),
    type: text("e ->> 'type'"),
    display: text("e ->> 'display'"),
    primary: { kind: 'boolean', value: sql.raw("coalesce((e ->> 'primary')::boolean, false)") },
  } satisfies Record<string, Column>),
);

/** Lists with filterable values. */
const LISTS: ReadonlyMap<string, RawBuilder<unknown>> = new Map([
  ['emails', sql.raw('jsonb_array_elements(u.emails) as e')],
  [
    'groups',
    sql.raw(`(select jsonb_build_object('value', g.id, 'display', g.display_name) as e
      from scim_group_members b join scim_groups g on g.team_id = b.team_id and g.id = b.group_id
      where b.team_id = u.team_id and b.user_id = u.id) as b`),
  ],
]);

export function toUserCondition(filter: Filter): RawBuilder<boolean> {
  return toCondition(filter, COLUMNS, LISTS);
}

/** Attributes of a group that filters may use. They need `g`. */
const GROUP_COLUMNS: ReadonlyMap<string, Column> = new Map(
  Object.entries({
    id: { kind: 'exact', value: sql.raw('g.id') },
    externalid: { kind: 'exact', value: sql.raw('g.external_id') },
    displayname: text('g.display_name'),
    'meta.created': { kind: 'time', value: sql.raw('(extract(epoch from g.created_at) * 1000)::bigint') },
    'meta.lastmodified': { kind: 'time', value: sql.raw('(extract(epoch from g.updated_at) * 1000)::bigint') },
  } satisfies Record<string, Column>),
);

const GROUP_LISTS: ReadonlyMap<string, RawBuilder<unknown>> = new Map([
  [
    'members',
    sql.raw(`(select jsonb_build_object('value', b.user_id) as e from scim_group_members b
      where b.team_id = g.team_id and b.group_id = g.id) as b`),
  ],
]);

export function toGroupCondition(filter: Filter): RawBuilder<boolean> {
  return toCondition(filter, GROUP_COLUMNS, GROUP_LISTS);
}

type Columns = ReadonlyMap<string, Column>;
type Lists = ReadonlyMap<string, RawBuilder<unknown>>;
const NO_LISTS: Lists = new Map();

function toCondition(filter: Filter, columns: Columns, lists: Lists): RawBuilder<boolean> {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return sql`(${sql.join(
        filter.filters.map((each) => toCondition(each, columns, lists)),
        filter.kind === 'and' ? sql` and ` : sql` or `,
      )})`;
    case 'not':
      return sql`(not coalesce(${toCondition(filter.filter, columns, lists)}, false))`;
    case 'some': {
      const list = lists.get(filter.attribute);
      if (list === undefined) return sql`false`;
      return sql`exists (select 1 from ${list} where ${toCondition(filter.filter, PARTS, NO_LISTS)})`;
    }
    default:
      return toComparison(filter, columns, lists);
  }
}

/**
 * A single attribute. `emails` and `emails.value` match any of the values. An attribute that isn't stored has no value (RFC
 * 7644, section 3.4.2.2).
 */
function toComparison(filter: Filter & { attribute: string }, columns: Columns, lists: Lists): RawBuilder<boolean> {
  const column = columns.get(filter.attribute);
  if (column !== undefined)
    return filter.kind === 'compare'
      ? compare(column, filter.comparison, filter.value)
      : sql`(${column.value}) is not null`;
  const [name = '', part = 'value'] = filter.attribute.split('.');
  if (!lists.has(name)) return filter.kind === 'compare' ? compareNothing(filter) : sql`false`;
  return toCondition(
    { kind: 'some', attribute: name, filter: { ...filter, attribute: part } as Filter },
    columns,
    lists,
  );
}

function compareNothing({ comparison, value }: { comparison: Comparison; value: FilterValue }): RawBuilder<boolean> {
  return (value === null ? comparison === 'eq' : comparison === 'ne') ? sql`true` : sql`false`;
}

function compare({ kind, value: column }: Column, comparison: Comparison, value: FilterValue): RawBuilder<boolean> {
  if (value === null)
    return comparison === 'eq'
      ? sql`(${column}) is null`
      : comparison === 'ne'
        ? sql`(${column}) is not null`
        : refuse('scim.invalid_filter');
  if (kind === 'boolean') return compareBoolean(column, comparison, value);
  if (typeof value !== 'string' || value.includes('\0')) return refuse('scim.invalid_filter');
  if (kind === 'time') return compareTime(column, comparison, value);
  if (kind === 'exact') return TEXTS[comparison](sql`(${column})`, value);
  return TEXTS[comparison](sql`lower(${column})`, value.toLowerCase());
}

function compareBoolean(column: RawBuilder<unknown>, comparison: Comparison, value: FilterValue): RawBuilder<boolean> {
  const wanted = typeof value === 'string' ? { true: true, false: false }[value.toLowerCase()] : value;
  if (typeof wanted !== 'boolean' || (comparison !== 'eq' && comparison !== 'ne')) return refuse('scim.invalid_filter');
  return sql`(${column}) = ${wanted === (comparison === 'eq')}`;
}

function compareTime(column: RawBuilder<unknown>, comparison: Comparison, value: string): RawBuilder<boolean> {
  const at = Date.parse(value);
  const operator = TIMES[comparison];
  if (Number.isNaN(at) || operator === undefined) return refuse('scim.invalid_filter');
  return sql`(${column}) ${sql.raw(operator)} ${at}::bigint`;
}

const TIMES: Partial<Record<Comparison, string>> = { eq: '=', ne: '<>', gt: '>', ge: '>=', lt: '<', le: '<=' };

type Compare = (column: RawBuilder<unknown>, value: string) => RawBuilder<boolean>;

const TEXTS: Readonly<Record<Comparison, Compare>> = {
  eq: (column, value) => sql`${column} = ${value}`,
  ne: (column, value) => sql`${column} is distinct from ${value}`,
  co: (column, value) => sql`strpos(${column}, ${value}) > 0`,
  sw: (column, value) => sql`starts_with(${column}, ${value})`,
  ew: (column, value) => sql`right(${column}, length(${value})) = ${value}`,
  gt: (column, value) => sql`${column} > ${value}`,
  ge: (column, value) => sql`${column} >= ${value}`,
  lt: (column, value) => sql`${column} < ${value}`,
  le: (column, value) => sql`${column} <= ${value}`,
};

/** A value that a condition requires exactly, for an attribute with an index. */
export function findKey(filter: Filter): { attribute: string; value: string } | undefined {
  for (const condition of listConjuncts(filter)) {
    const [attribute, compared] =
      condition.kind === 'some' ? [condition.attribute, findValue(condition.filter)] : ['', condition];
    if (compared?.kind !== 'compare' || compared.comparison !== 'eq' || typeof compared.value !== 'string') continue;
    const name = attribute === '' ? compared.attribute.replace(/^emails\.value$/, 'emails') : attribute;
    if (KEYS.has(name)) return { attribute: name, value: compared.value };
  }
  return undefined;
}

const KEYS: ReadonlySet<string> = new Set(['id', 'externalid', 'username', 'emails']);

function findValue(filter: Filter): Filter | undefined {
  return listConjuncts(filter).find(
    (each) => each.kind === 'compare' && each.attribute === 'value' && each.comparison === 'eq',
  );
}
