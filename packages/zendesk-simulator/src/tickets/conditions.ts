import {
  type Comment,
  type Person,
  PRIORITIES,
  STATUSES,
  type Ticket,
  TYPES,
  VIA,
} from '@steward/liquid/zendesk/ticket.ts';
import type { Condition } from '../model.ts';

/** A change of a ticket, as evaluated by triggers. */
export interface Change {
  kind: 'Create' | 'Change';
  ticket: Ticket;
  /** The ticket before the change; undefined for a new ticket. */
  before?: Ticket;
  /** The comment added with the change. */
  comment?: Comment;
  actor?: Person;
}

interface Field {
  operators: string[];
  /** Allowed values; any text if not given. */
  values?: readonly string[];
  holds: (change: Change, condition: Condition) => boolean;
}

const EQUAL = ['is', 'is_not'];
const MOVED = ['changed', 'not_changed', 'value', 'value_previous'];
const WORDS = ['includes', 'not_includes'];

const FIELDS: Record<string, Field> = {
  update_type: { operators: ['is'], values: ['Create', 'Change'], holds: ({ kind }, { value }) => kind === value },
  status: ranked('status', STATUSES),
  priority: ranked('priority', PRIORITIES),
  type: ranked('type', TYPES),
  group_id: compared(({ group }) => group?.id),
  assignee_id: compared(({ assignee }) => assignee?.id),
  requester_id: compared(({ requester }) => requester?.id),
  organization_id: compared(({ organization }) => organization?.id),
  brand_id: compared(({ brand }) => brand.id),
  via_id: compared(({ via }) => VIA[via].id),
  current_tags: worded(({ ticket }) => ticket.tags),
  subject_includes_word: worded(({ ticket }) => ticket.title.toLowerCase().split(/\W+/)),
  comment_includes_word: worded(({ comment }) => comment?.value.toLowerCase().split(/\W+/) ?? []),
  comment_is_public: {
    operators: ['is'],
    values: ['true', 'false', 'not_relevant'],
    holds: ({ comment }, { value }) =>
      comment !== undefined && (value === 'not_relevant' || String(comment.is_public) === String(value)),
  },
  role: {
    operators: EQUAL,
    values: ['agent', 'end_user'],
    holds: ({ actor }, { operator, value }) =>
      ((actor?.role === 'end-user' ? 'end_user' : 'agent') === value) === (operator === 'is'),
  },
};

/** The error in a condition; undefined if it is valid. */
export function wrongCondition({ field, operator, value }: Condition): string | undefined {
  const known = Object.hasOwn(FIELDS, field) ? FIELDS[field] : undefined;
  if (!known) return `Condition field '${field}' is not known`;
  if (!known.operators.includes(operator)) return `Invalid operator '${operator}' in '${field}'`;
  if (operator === 'changed' || operator === 'not_changed') return undefined;
  if (known.values && !known.values.includes(String(value))) {
    return `Invalid value '${String(value)}' in '${field} / ${operator} / ${String(value)}'`;
  }
  return undefined;
}

/** True if all of `all` match, and at least one of `any` unless that is empty. */
export function conditionsHold({ all, any }: { all: Condition[]; any: Condition[] }, change: Change): boolean {
  const holds = (condition: Condition) => FIELDS[condition.field]?.holds(change, condition) ?? false;
  return all.every(holds) && (any.length === 0 || any.some(holds));
}

function compared(of: (ticket: Ticket) => string | number | undefined): Field {
  return {
    operators: [...EQUAL, ...MOVED],
    holds: ({ ticket, before }, { operator, value }) => {
      const [now, then] = [String(of(ticket) ?? ''), before && String(of(before) ?? '')];
      const moved = then !== undefined && now !== then;
      if (operator === 'changed') return moved;
      if (operator === 'not_changed') return !moved;
      if (operator === 'value') return now === String(value) && (before === undefined || moved);
      if (operator === 'value_previous') return moved && then === String(value);
      return (now === String(value ?? '')) === (operator === 'is');
    },
  };
}

/** Ordered values, for less_than and greater_than. */
function ranked(name: 'status' | 'priority' | 'type', order: readonly string[]): Field {
  const { operators, holds } = compared((ticket) => ticket[name]);
  return {
    operators: [...operators, 'less_than', 'greater_than'],
    values: ['', ...order],
    holds: (change, condition) => {
      const apart = order.indexOf(change.ticket[name] ?? '') - order.indexOf(String(condition.value));
      if (condition.operator === 'less_than') return apart < 0;
      if (condition.operator === 'greater_than') return apart > 0;
      return holds(change, condition);
    },
  };
}

/** Matches a text that contains any of the words in the value, separated by spaces. */
function worded(of: (change: Change) => string[]): Field {
  return {
    operators: WORDS,
    holds: (change, { operator, value }) => {
      const has = String(value)
        .toLowerCase()
        .split(/\s+/)
        .some((word) => of(change).includes(word));
      return has === (operator === 'includes');
    },
  };
}
