import { API_BASE } from '@steward/contract/api/endpoint';
import type { FastifyInstance } from 'fastify';
import { refuse } from './errors.ts';

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
  app.addHook('onRequest', async (request, reply) => {
    const [path = ''] = request.url.split('?');
    if (!request.is404 || !path.startsWith(`${API_BASE}/`)) return;
    const allowed = findMethods(methodsByPath, path);
    if (allowed.length === 0) refuse('request.not_found');
    reply.header('allow', allowed.join(', '));
    refuse('request.method_not_allowed');
  });
}

/** Methods of all routes that match the path. It is looked up for refusals only, so the patterns aren't compiled in advance. */
function findMethods(methodsByPath: ReadonlyMap<string, ReadonlySet<string>>, path: string): string[] {
  const matching = [...methodsByPath].filter(([pattern]) => matches(pattern, path));
  return [...new Set(matching.flatMap(([, methods]) => [...methods]))].sort();
}

function matches(pattern: string, path: string): boolean {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  return wanted.length === given.length && wanted.every((part, at) => part.startsWith(':') || part === given[at]);
}
