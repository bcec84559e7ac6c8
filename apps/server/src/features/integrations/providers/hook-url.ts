import type { Env } from '#platform/env.ts';

/** The URL that a service delivers to. Its key identifies the integration. */
export function toHookUrl({ publicUrl }: Pick<Env, 'publicUrl'>, code: string, pathKey: string): string {
  return `${publicUrl}/api/v4/hooks/${code}/${pathKey}`;
}
