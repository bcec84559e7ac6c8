import { SCIM_MEMBERS_MAX } from '@steward/contract/api/limits';
import { refuse } from '#platform/http/errors.ts';
import type { Filter } from '../filters/filter.ts';
import type { Operation } from '../patch-operations.ts';
import { type GroupChange, type MemberStep, readExternalId, readGroupName, readMembers } from './group.ts';

/** A PATCH never reads the members of a large group. */
export function patchGroup(operations: readonly Operation[]): GroupChange {
  const changes: Partial<GroupChange>[] = [];
  let members = 0;
  for (const operation of operations) {
    const change = readChange(operation);
    members += change.steps?.reduce((sum, { ids }) => sum + ids.length, 0) ?? 0;
    if (members > SCIM_MEMBERS_MAX) refuse('scim.invalid_value', `members: has more than ${SCIM_MEMBERS_MAX} values`);
    changes.push(change);
  }
  return Object.assign({}, ...changes, { steps: changes.flatMap(({ steps = [] }) => steps) }) as GroupChange;
}

const READ_ONLY: ReadonlySet<string> = new Set(['id', 'meta', 'schemas']);

function readChange(operation: Operation): Partial<GroupChange> {
  const { op, path, value, isMerged } = operation;
  if (path.attribute === 'members') return { steps: [readStep(operation)] };
  // A client that replaces a whole group also sends its id.
  if (READ_ONLY.has(path.attribute))
    return isMerged ? {} : refuse('scim.mutability', `${path.attribute}: is read-only`);
  const read = READERS.get(path.attribute);
  // Unknown attributes are ignored, as in POST.
  if (read === undefined) return {};
  if (path.filter !== undefined || path.sub !== undefined)
    return refuse('scim.invalid_path', `${path.attribute}: has no parts`);
  return read(op === 'remove' ? undefined : value);
}

const READERS = new Map<string, (value: unknown) => Partial<GroupChange>>([
  ['displayname', (value) => ({ displayName: readGroupName(value) })],
  ['externalid', (value) => ({ externalId: readExternalId(value) })],
]);

function readStep({ op, path, value }: Operation): MemberStep {
  if (path.sub !== undefined)
    return refuse('scim.mutability', 'members: a member can be added or removed, not changed');
  if (path.filter !== undefined) {
    if (op !== 'remove') return refuse('scim.mutability', 'members: a member can be added or removed, not changed');
    return { kind: 'remove', ids: listValues(path.filter) };
  }
  // Without a list of members, all members are removed.
  if (op === 'remove')
    return value === undefined ? { kind: 'replace', ids: [] } : { kind: 'remove', ids: readMembers(value) };
  return { kind: op, ids: readMembers(value) };
}

/** `value eq "x"`, or several of these. */
function listValues(filter: Filter): string[] {
  if (filter.kind === 'or') return filter.filters.flatMap(listValues);
  const isValue = filter.kind === 'compare' && filter.attribute === 'value' && filter.comparison === 'eq';
  if (isValue && typeof filter.value === 'string') return [filter.value];
  return refuse('scim.invalid_path', 'members: can be selected by value eq "…" only');
}
