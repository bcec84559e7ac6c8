import { type Answer, forbid, refuse } from './answer.ts';
import type { Session, User } from './model.ts';
import type { World } from './world.ts';

export interface Call {
  world: World;
  /** The caller. A call that is open to everybody has an empty row without credentials. */
  caller: User;
  session: Session | undefined;
  params: Record<string, string>;
  query: URLSearchParams;
  headers: Record<string, string>;
  body: unknown;
  raw: Buffer;
}

export interface Route {
  /** `METHOD path` below `/api/v4/`. A part with a colon is an id. */
  call: string;
  /** Who may call: everybody without credentials, everybody with a session, system admins. */
  by: 'anybody' | 'user' | 'admin';
  run: (call: Call) => Answer | Promise<Answer>;
}

export const isAdmin = (user: User) => user.roles.split(' ').includes('system_admin');

export function requireAdmin({ caller }: Call): void {
  if (!isAdmin(caller)) forbid();
}

/** The fields of a JSON body, of unknown types. */
export function fields({ body }: Call): Record<string, unknown> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return badBody();
  return body as Record<string, unknown>;
}

export function list({ body }: Call): unknown[] {
  return Array.isArray(body) ? body : badBody();
}

export const badBody = () => refuse(400, 'api.context.invalid_body_param.app_error');

export function text(value: unknown, otherwise = ''): string {
  return typeof value === 'string' ? value : otherwise;
}

const PAGE_MOST = 200;

/** One page of a list. A larger `per_page` than the most is cut without a word. */
export function pageOf<T>(rows: readonly T[], query: URLSearchParams): T[] {
  const { start, size } = pageBounds(query);
  return rows.slice(start, start + size);
}

export function pageBounds(query: URLSearchParams): { start: number; size: number } {
  const size = Math.min(Number(query.get('per_page')) || 60, PAGE_MOST);
  return { start: Math.max(0, Number(query.get('page')) || 0) * size, size };
}

export const asks = (query: URLSearchParams, name: string) => query.get(name) === 'true';

/** Returns the row that a path names, or answers 404. */
export function found<T>(rows: ReadonlyMap<string, T>, key: string | undefined, missing: string): T {
  return rows.get(key ?? '') ?? refuse(404, missing);
}

/** Writes into the audit table. Reads, deletions of posts and members of teams are never there. */
export function audit({ world, caller, session }: Call, action: string, extra: string): void {
  world.audits.unshift({
    id: world.id(),
    create_at: world.now(),
    user_id: caller.id,
    action: `/api/v4/${action}`,
    extra_info: extra,
    ip_address: '127.0.0.1',
    session_id: session?.id ?? '',
  });
}
