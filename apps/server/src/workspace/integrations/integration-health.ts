import type { IntegrationHealth } from '@steward/contract/integrations';
import type { Deps } from '#platform/deps.ts';

export const INTEGRATION_PURPOSE = 'integration';

export function seal({ secrets }: Pick<Deps, 'secrets'>, text: string): string {
  return secrets.seal(INTEGRATION_PURPOSE, text);
}

/** Opens a sealed secret of an integration; undefined if it was deleted, or sealed with another SECRET_KEY. */
export function opened({ secrets }: Pick<Deps, 'secrets'>, text: string | null): string | undefined {
  try {
    return text === null ? undefined : secrets.open(INTEGRATION_PURPOSE, text);
  } catch {
    return undefined;
  }
}

const NO_SECRET = 'Enter the secret that the service shows, with UPDATE CREDENTIAL. Until then, its calls are refused.';

export interface StoredIntegration {
  state: string;
  credentials: string | null;
  path_key: string | null;
  signing_secret: string | null;
  warnings: string[];
  broken: boolean;
  last_delivery_at: number | null;
  last_error_at: number | null;
}

const OTHER_KEY = "Enter the credentials again. They can't be decrypted with the current SECRET_KEY.";

export function getIntegrationHealth(
  deps: Pick<Deps, 'secrets'>,
  row: StoredIntegration | undefined,
): { health: IntegrationHealth; warnings: string[] } {
  if (row?.state !== 'on') return { health: 'off', warnings: row?.warnings ?? [] };
  const sealed = [row.credentials, row.path_key, row.signing_secret];
  if (sealed.some((secret) => opened(deps, secret) === undefined)) return { health: 'failing', warnings: [OTHER_KEY] };
  if (opened(deps, row.signing_secret) === '') return { health: 'warning', warnings: [NO_SECRET] };
  if (row.broken) return { health: 'failing', warnings: row.warnings };
  const lastFailed = row.last_error_at !== null && row.last_error_at >= (row.last_delivery_at ?? 0);
  return { health: row.warnings.length > 0 || lastFailed ? 'warning' : 'ok', warnings: row.warnings };
}
