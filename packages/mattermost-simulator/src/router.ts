import { refuse } from './answer.ts';
import type { Route } from './call.ts';

export interface FoundRoute {
  route: Route;
  params: Record<string, string>;
}

/** Routes by their method and number of parts, so that a call compares few of them. */
export type Router = ReadonlyMap<string, readonly { route: Route; parts: string[] }[]>;

export function createRouter(routes: readonly Route[]): Router {
  const prepared = routes.map((route) => {
    const [method = '', path = ''] = route.call.split(' ');
    return { route, method, parts: path.split('/') };
  });
  // A fixed part wins over an id.
  const ids = (parts: string[]) => parts.filter((part) => part.startsWith(':')).length;
  prepared.sort((a, b) => ids(a.parts) - ids(b.parts));
  return Map.groupBy(prepared, ({ method, parts }) => `${method} ${parts.length}`);
}

export function findRoute(router: Router, method: string, path: string): FoundRoute {
  const given = path.replace(/^\/api\/v4\//, '').split('/');
  const found = router
    .get(`${method} ${given.length}`)
    ?.find(({ parts }) => parts.every((part, at) => part.startsWith(':') || part === given[at]));
  if (!found) return refuse(404, 'api.context.404.app_error');
  const params: Record<string, string> = {};
  for (const [at, part] of found.parts.entries()) {
    if (!part.startsWith(':')) continue;
    const value = given[at] ?? '';
    const isId = /^[a-z0-9]{26}$/.test(value) || (part === ':user' && value === 'me');
    if (!isId) refuse(400, 'api.context.invalid_url_param.app_error');
    params[part.slice(1)] = value;
  }
  return { route: found.route, params };
}
