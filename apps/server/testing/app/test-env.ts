import { type Env, parseEnv } from '#platform/env.ts';

/** The environment of a node with embedded PostgreSQL. */
export function testEnv(variables: Record<string, string> = {}): Env {
  return parseEnv({ PUBLIC_URL: 'http://steward.test', DEMO: '0', SIGNUP: 'open', ...variables });
}
