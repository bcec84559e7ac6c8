import { API_BASE } from '@steward/contract/api/endpoint';
import type { FastifyInstance } from 'fastify';
import { refuse } from '../errors.ts';

/**
 * Answers a call with a method that its path doesn't have with 405 and the methods it has (RFC 9110), and an unknown path of the
 * API with 404, both before any body is read. Called before the routes are registered.
 */
export function refuseOtherMethods(app: FastifyInstance): void {
  const methodsByPath = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const methods = methodsByPath.get(url) ?? new Set();
    for (const name of [method].flat()) methods.add(name);
    methodsByPath.set(url, methods);
  });
  // For a method that `/users/multi` doesn't have, the router takes `multi` for the id in `/users/:userId`.
  const isOtherPath = (pattern = '', path: string) =>
    /\/:[^/]+$/.test(pattern) && methodsByPath.has(getFolder(pattern) + path.slice(getFolder(path).length));
  app.addHook('onRequest', (request, reply, done) => {
    const [path = ''] = request.url.split('?');
    if (!request.is404 && !isOtherPath(request.routeOptions.url, path)) return done();
    if (!path.startsWith(`${API_BASE}/`)) return done();
    const allowed = findMethods(methodsByPath, path);
    if (allowed.length === 0) refuse('request.not_found');
    reply.header('allow', allowed.join(', '));
    refuse('request.method_not_allowed');
  });
}

/** Only refusals look up the methods of a path, so nothing is compiled in advance. */
function findMethods(methodsByPath: ReadonlyMap<string, ReadonlySet<string>>, path: string): string[] {
  const given = path.split('/');
  const matching = [...methodsByPath].map(([pattern, methods]) => ({ pattern: pattern.split('/'), methods }));
  // Like the router, prefers the route in which the first differing part is a word and not a parameter.
  const [best] = matching
    .filter(({ pattern }) => matches(pattern, given))
    .sort((one, other) => (rank(one.pattern) < rank(other.pattern) ? -1 : 1));
  return [...(best?.methods ?? [])].sort();
}

const getFolder = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);

const isParameter = (part: string) => part.startsWith(':');

function matches(pattern: readonly string[], given: readonly string[]): boolean {
  return pattern.length === given.length && pattern.every((part, at) => isParameter(part) || part === given[at]);
}

function rank(pattern: readonly string[]): string {
  return pattern.map((part) => (isParameter(part) ? 1 : 0)).join('');
}
