import { type Attention, AttentionKind } from '@steward/contract/home';
import type { IntegrationHealth } from '@steward/contract/integrations';

export function helpDeskAttention(
  integrations: readonly { health: IntegrationHealth; warnings: string[] }[],
): Attention[] {
  const failing = integrations.filter(({ health }) => health === 'failing');
  // A failed delivery alone is counted with the deliveries.
  const warned = integrations.filter(({ health, warnings }) => health === 'warning' && warnings.length > 0);
  const found = [
    { kind: 'integration_failing' as const, of: failing },
    { kind: 'integration_warning' as const, of: warned },
  ];
  return found
    .filter(({ of }) => of.length > 0)
    .map(({ kind, of }) => ({ kind, count: of.length, since: null, text: of[0]?.warnings[0] ?? '' }));
}

/** Most severe first. */
export function sortBySeverity(found: readonly Attention[]): Attention[] {
  const severity = AttentionKind.options;
  return found.toSorted((one, other) => severity.indexOf(one.kind) - severity.indexOf(other.kind));
}
