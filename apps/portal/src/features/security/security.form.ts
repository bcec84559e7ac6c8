import {
  IDLE_MINUTES_MAX,
  IDLE_MINUTES_MIN,
  NETWORKS_MAX,
  SESSION_HOURS_MAX,
  SESSION_HOURS_MIN,
} from '@steward/contract/api/limits';
import { type SavedSecurityPolicy, SecurityPolicy } from '@steward/contract/security';

/** An empty number means the server's limit. Each line of the text is a network. */
export interface SecurityValues {
  require_mfa: SecurityPolicy['require_mfa'];
  idle_minutes: string;
  session_hours: string;
  networks: string;
  break_glass_owners: string[];
}

export function toSecurityValues(saved: SavedSecurityPolicy): SecurityValues {
  return {
    require_mfa: saved.require_mfa,
    idle_minutes: saved.idle_minutes === null ? '' : String(saved.idle_minutes),
    session_hours: saved.session_hours === null ? '' : String(saved.session_hours),
    networks: saved.networks.join('\n'),
    break_glass_owners: saved.break_glass_owners,
  };
}

/** Empty lines are ignored. */
export function readNetworks(text: string): string[] {
  return text
    .split(/[\n,;]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

export function toSecurityPolicy(values: SecurityValues): SecurityPolicy {
  const toNumber = (typed: string) => (typed.trim() === '' ? null : Number(typed));
  return {
    require_mfa: values.require_mfa,
    idle_minutes: toNumber(values.idle_minutes),
    session_hours: toNumber(values.session_hours),
    networks: readNetworks(values.networks),
    break_glass_owners: values.break_glass_owners,
  };
}

export function validateSecurity(values: SecurityValues): Partial<Record<keyof SecurityValues, string>> {
  return {
    ...numberError('idle_minutes', values, [IDLE_MINUTES_MIN, IDLE_MINUTES_MAX]),
    ...numberError('session_hours', values, [SESSION_HOURS_MIN, SESSION_HOURS_MAX]),
    ...networksError(readNetworks(values.networks)),
  };
}

function numberError(field: 'idle_minutes' | 'session_hours', values: SecurityValues, limits: readonly number[]) {
  const typed = values[field].trim();
  const [least = 0, most = 0] = limits;
  const isRight = typed === '' || (/^\d{1,4}$/.test(typed) && Number(typed) >= least && Number(typed) <= most);
  return isRight ? {} : { [field]: `Enter a whole number from ${least} to ${most}, or leave it empty.` };
}

function networksError(networks: string[]) {
  if (networks.length > NETWORKS_MAX) return { networks: `Enter at most ${NETWORKS_MAX} networks.` };
  const { networks: schema } = SecurityPolicy.shape;
  const wrong = networks.find((network) => !schema.safeParse([network]).success);
  if (wrong === undefined) return {};
  return { networks: `“${wrong}” isn’t an address or a network such as 203.0.113.0/24.` };
}
