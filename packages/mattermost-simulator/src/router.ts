import { refuse } from './answer.ts';
import type { Route } from './call.ts';

export interface FoundRoute {
  route: Route;
  params: Record<string, string>;
}

/** Finds the route of a path; a fixed part wins over an id. */
export function findRoute(routes: readonly Route[], method: string, path: string): FoundRoute {
  const given = path.replace(/^\/api\/v4\//, '').split('/');
  const matches = routes.filter(({ call }) => {
    const [verb, pattern = ''] = call.split(' ');
    const parts = pattern.split('/');
    return (
      verb === method &&
      parts.length === given.length &&
      parts.every((part, at) => part.startsWith(':') || part === given[at])
    );
  });
  const [route] = matches.sort((a, b) => a.call.split(':').length - b.call.split(':').length);
  if (!route) return refuse(404, 'api.context.404.app_error');
  const params: Record<string, string> = {};
  for (const [at, part] of (route.call.split(' ')[1] ?? '').split('/').entries()) {
    if (!part.startsWith(':')) continue;
    const value = given[at] ?? '';
    const isId = /^[a-z0-9]{26}$/.test(value) || (part === ':user' && value === 'me');
    if (!isId) refuse(400, 'api.context.invalid_url_param.app_error');
    params[part.slice(1)] = value;
  }
  return { route, params };
}
