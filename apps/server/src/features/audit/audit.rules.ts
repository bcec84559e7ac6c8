import { isId } from '@steward/contract/api/fields';
import { AUDIT_ITEMS_MAX } from '@steward/contract/api/limits';
import type { AuditBy } from '@steward/contract/audit';

interface AuditTraces {
  actor_id: string | null;
  action: string;
  address: string;
  request_id: string;
}

export function getAuditActorKind({ actor_id, action, address, request_id }: AuditTraces): AuditBy {
  if (actor_id !== null) return 'person';
  if (address === 'operator') return 'operator';
  if (action === 'content.added') return 'service';
  if (action.startsWith('scim.')) return 'provisioning';
  return request_id === 'job' ? 'itself' : 'unknown';
}

/** Details with long lists cut, and the number of items left out. */
export function truncateLists(details: Record<string, unknown>): {
  details: Record<string, unknown>;
  left_out: number;
} {
  let left_out = 0;
  const cut = (value: unknown): unknown => {
    if (Array.isArray(value)) {
      left_out += Math.max(value.length - AUDIT_ITEMS_MAX, 0);
      return value.slice(0, AUDIT_ITEMS_MAX).map(cut);
    }
    return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, cut(each)])) : value;
  };
  return { details: cut(details) as Record<string, unknown>, left_out };
}

/**
 * Removes channels that the reader doesn't see. If the row is about one of them, its target is empty and its details have no
 * ids at all, because a file or a user could reveal the channel.
 */
export function hideChannels<Row extends { target: string | null; details: Record<string, unknown> }>(
  row: Row,
  hidden: ReadonlySet<string>,
): Row {
  const isAboutHidden = hidden.has(row.target ?? '');
  const ids = isAboutHidden ? new Set(collectIds(row.details)) : hidden;
  const details = without(row.details, ids) as Record<string, unknown>;
  return { ...row, target: isAboutHidden ? '' : row.target, details };
}

function without(value: unknown, ids: ReadonlySet<string>): unknown {
  const isShown = (each: unknown) => typeof each !== 'string' || !ids.has(each);
  if (Array.isArray(value)) return value.filter(isShown).map((each) => without(each, ids));
  if (!isObject(value)) return value;
  const shown = Object.entries(value).filter(([, each]) => isShown(each));
  return Object.fromEntries(shown.map(([key, each]) => [key, without(each, ids)]));
}

export function collectIds(value: unknown): string[] {
  if (typeof value === 'string') return isId(value) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap(collectIds);
  return isObject(value) ? Object.values(value).flatMap(collectIds) : [];
}

/** The details hold the name of the target: after a deletion it has no other name. */
export function findNameInDetails(details: Record<string, unknown>): string {
  for (const source of [details, details.before, only(details.after), only(details.entries)])
    if (isObject(source)) {
      const name = [source.name, source.email, source.file_name].find(
        (text) => typeof text === 'string' && text !== '',
      );
      if (name !== undefined) return name as string;
    }
  return '';
}

/** Returns the item only if the list has exactly one. */
function only(list: unknown): unknown {
  return Array.isArray(list) && list.length === 1 ? list[0] : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
