import type { Profile, User } from '@steward/contract/users';
import { Role, toAccountType } from '@steward/contract/users/roles';
import type { UserRow } from './users.store.ts';

export function toRoles(stored: readonly string[]): Role[] {
  return stored.filter((role): role is Role => Role.safeParse(role).success);
}

export function toUser<Row extends UserRow>(user: Row): Row & User {
  const roles = toRoles(user.roles);
  return { ...user, roles, account_type: toAccountType(roles) };
}

/** Normalizes text to NFC, so that a name is found in whichever form it was typed. */
export function normalizeProfile<Fields extends Partial<Profile>>(profile: Fields): Fields {
  const fields = Object.entries(profile).map(([name, value]) => [name, value?.normalize('NFC')]);
  return Object.fromEntries(fields);
}
