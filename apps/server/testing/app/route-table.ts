import type { FastifyInstance } from 'fastify';

/** Every route of the app, as `METHOD /path`, without HEAD. */
export function listRoutes(app: FastifyInstance): string[] {
  const above: string[] = [];
  const found: string[] = [];
  for (const line of app.printRoutes({ commonPrefix: false }).split('\n')) {
    const match = /^([│ ]*)[├└]── (.*?)(?: \(([A-Z, ]+)\))?$/.exec(line);
    if (!match) continue;
    const [, indent = '', part = '', methods = ''] = match;
    const depth = indent.length / 4;
    above[depth] = part;
    const path = above.slice(0, depth + 1).join('');
    for (const method of methods.split(', ')) if (method !== '' && method !== 'HEAD') found.push(`${method} ${path}`);
  }
  return found.sort();
}
