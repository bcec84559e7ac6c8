import type { SsoConnection, SsoRole, SsoSettings } from '@steward/contract/sso/connection';

/** Each line of the two lists is a group. */
export interface SsoValues {
  name: string;
  issuer: string;
  client_id: string;
  /** An empty value keeps the stored secret. */
  client_secret: string;
  enabled: boolean;
  required: boolean;
  jit: boolean;
  default_role: SsoRole;
  group_claim: string;
  admin_groups: string;
  user_groups: string;
}

export function toSsoValues(stored: SsoConnection): SsoValues {
  const { name, issuer, client_id, enabled, required, jit, default_role, group_claim, group_roles } = stored;
  const list = (role: SsoRole) =>
    Object.keys(group_roles)
      .filter((group) => group_roles[group] === role)
      .join('\n');
  return {
    name,
    issuer,
    client_id,
    client_secret: '',
    enabled,
    required,
    jit,
    default_role,
    group_claim,
    admin_groups: list('team_admin'),
    user_groups: list('team_user'),
  };
}

/** A changed client has to be tested before it can be enabled. */
export function needsTest(values: SsoValues, stored: SsoConnection): boolean {
  const isOther = values.issuer.trim() !== stored.issuer || values.client_id.trim() !== stored.client_id;
  return isOther || values.client_secret !== '';
}

export function toSsoSettings(values: SsoValues, stored: SsoConnection): SsoSettings {
  const { client_secret, admin_groups, user_groups, ...rest } = values;
  const groups = (text: string, role: SsoRole) => readGroups(text).map((group) => [group, role] as const);
  const isOff = needsTest(values, stored);
  return {
    ...rest,
    ...(client_secret !== '' && { client_secret }),
    enabled: rest.enabled && !isOff,
    required: rest.required && rest.enabled && !isOff,
    // A group in both lists gives the admin role.
    group_roles: Object.fromEntries([...groups(user_groups, 'team_user'), ...groups(admin_groups, 'team_admin')]),
  };
}

function readGroups(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

export function validateSso(values: SsoValues): Partial<Record<keyof SsoValues, string>> {
  return {
    ...(values.name.trim() === '' && { name: 'Enter what your users call the provider.' }),
    ...(values.issuer.trim() === '' && { issuer: 'Enter the issuer, as the provider shows it.' }),
  };
}
