import type { User } from '@steward/contract/users';
import { Role, toAccountType } from '@steward/contract/users/roles';
import type { PersonRow } from './people.store.ts';

/** Stored roles as the contract names them. */
export function toRoles(stored: readonly string[]): Role[] {
  return stored.filter((role): role is Role => Role.safeParse(role).success);
}

/** A person as sign-in and lists answer them (spec §3, user). */
export function toUser<Row extends PersonRow>(person: Row): Row & User {
  const roles = toRoles(person.roles);
  return { ...person, roles, account_type: toAccountType(roles) };
}
