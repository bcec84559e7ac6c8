import { SCIM_BASE, type ScimLogEntry } from '@steward/contract/scim';
import type { Tone } from '#platform/feedback/state-badge.tsx';

const KINDS: Readonly<Record<string, string>> = { Users: 'user', Groups: 'group' };
const VERBS: Readonly<Record<string, string>> = {
  POST: 'Add',
  PUT: 'Replace',
  PATCH: 'Change',
  DELETE: 'Remove',
  GET: 'Read',
};

/** The result looks like `Change a user`. */
export function getCallTitle({ method, path }: Pick<ScimLogEntry, 'method' | 'path'>): string {
  const [pathname = ''] = path.split('?');
  const [kind = '', id = ''] = pathname.slice(SCIM_BASE.length + 1).split('/');
  const noun = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  if (noun === undefined) return `${method} ${pathname}`;
  if (id === '.search' || (method === 'GET' && id === '')) return `List ${noun}s`;
  return `${VERBS[method] ?? method} a ${noun}`;
}

export function getCallState({ status }: Pick<ScimLogEntry, 'status'>): { word: string; tone: Tone } {
  if (status >= 500) return { word: 'Failed', tone: 'danger' };
  return status >= 400 ? { word: 'Refused', tone: 'warning' } : { word: 'Done', tone: 'success' };
}

/** A body that was cut isn't valid JSON and is shown as it is. */
export function formatBody(request: string): string {
  try {
    return JSON.stringify(JSON.parse(request), null, 2);
  } catch {
    return request;
  }
}
