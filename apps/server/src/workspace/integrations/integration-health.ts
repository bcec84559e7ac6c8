import type { IntegrationHealth } from '@steward/contract/integrations';
import type { Deps } from '#platform/deps.ts';

/** What the secrets of an integration are sealed for. */
const SEALED_FOR = 'integration';

/** Seals a secret of an integration for its row. */
export function seal({ secrets }: Pick<Deps, 'secrets'>, text: string): string {
  return secrets.seal(SEALED_FOR, text);
}

/** Opens a sealed secret of an integration; undefined where it was forgotten, or sealed with another SECRET_KEY. */
export function opened({ secrets }: Pick<Deps, 'secrets'>, text: string | null): string | undefined {
  try {
    return text === null ? undefined : secrets.open(SEALED_FOR, text);
  } catch {
    return undefined;
  }
}

/** As much of a stored integration as its standing is told from. */
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

/** How it stands with an integration, and what an admin should know of it. */
export function getIntegrationHealth(
  deps: Pick<Deps, 'secrets'>,
  row: StoredIntegration | undefined,
): { health: IntegrationHealth; warnings: string[] } {
  if (row?.state !== 'on') return { health: 'off', warnings: row?.warnings ?? [] };
  const sealed = [row.credentials, row.path_key, row.signing_secret];
  if (sealed.some((secret) => opened(deps, secret) === undefined)) return { health: 'failing', warnings: [OTHER_KEY] };
  if (row.broken) return { health: 'failing', warnings: row.warnings };
  const lastFailed = row.last_error_at !== null && row.last_error_at >= (row.last_delivery_at ?? 0);
  return { health: row.warnings.length > 0 || lastFailed ? 'warning' : 'ok', warnings: row.warnings };
}
