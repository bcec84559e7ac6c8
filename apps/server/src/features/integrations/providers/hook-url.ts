import type { Env } from '#platform/env.ts';

/** The address that a service delivers to: the key in it names the integration. */
export function toHookUrl({ publicUrl }: Pick<Env, 'publicUrl'>, code: string, pathKey: string): string {
  return `${publicUrl}/api/v4/hooks/${code}/${pathKey}`;
}
