import { type Env, parseEnv } from '#platform/env.ts';

/** The environment of a node that runs its own PostgreSQL, as most readers of the code will run it. */
export function testEnv(variables: Record<string, string> = {}): Env {
  return parseEnv({ PUBLIC_URL: 'http://steward.test', DEMO: '0', SIGNUP: 'open', ...variables });
}
