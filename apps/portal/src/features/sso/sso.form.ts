import type { SsoConnection, SsoRole, SsoSettings } from '@steward/contract/sso/connection';

/** The connection as it is typed: each line of the two lists is a group. */
export interface SsoValues {
  name: string;
  issuer: string;
  client_id: string;
  /** Empty keeps the stored one. */
  client_secret: string;
  enabled: boolean;
  required: boolean;
  jit: boolean;
  default_role: SsoRole;
  group_claim: string;
  admin_groups: string;
  user_groups: string;
}

/** A stored connection as the values of the form. */
export function toSsoValues(stored: SsoConnection): SsoValues {
  const { name, issuer, client_id, enabled, required, jit, default_role, group_claim, group_roles } = stored;
  const list = (role: SsoRole) =>
    Object.keys(group_roles)
      .filter((group) => group_roles[group] === role)
      .join('\n');
  return {
    ...{ name, issuer, client_id, client_secret: '', enabled, required, jit, default_role, group_claim },
    admin_groups: list('team_admin'),
    user_groups: list('team_user'),
  };
}

/** Whether saving makes it another client, which has to be tested before it can be on. */
export function needsTest(values: SsoValues, stored: SsoConnection): boolean {
  const isOther = values.issuer.trim() !== stored.issuer || values.client_id.trim() !== stored.client_id;
  return isOther || values.client_secret !== '';
}

/** What is sent. */
export function toSsoSettings(values: SsoValues, stored: SsoConnection): SsoSettings {
  const { client_secret, admin_groups, user_groups, ...rest } = values;
  const groups = (text: string, role: SsoRole) => readGroups(text).map((group) => [group, role] as const);
  const isOff = needsTest(values, stored);
  return {
    ...rest,
    ...(client_secret !== '' && { client_secret }),
    enabled: rest.enabled && !isOff,
    required: rest.required && rest.enabled && !isOff,
    // In both lists, a group makes admins.
    group_roles: Object.fromEntries([...groups(user_groups, 'team_user'), ...groups(admin_groups, 'team_admin')]),
  };
}

function readGroups(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** What is wrong with each field, as sentences. */
export function validateSso(values: SsoValues): Partial<Record<keyof SsoValues, string>> {
  return {
    ...(values.name.trim() === '' && { name: 'Enter what your users call the provider.' }),
    ...(values.issuer.trim() === '' && { issuer: 'Enter the issuer, as the provider shows it.' }),
  };
}
