import { PROFILE_FIELDS, type Profile, type User } from '@steward/contract/users';
import { Role, toAccountType } from '@steward/contract/users/roles';
import { type RawBuilder, sql } from 'kysely';
import type { PersonRow } from './people.store.ts';

export function toRoles(stored: readonly string[]): Role[] {
  return stored.filter((role): role is Role => Role.safeParse(role).success);
}

export function toUser<Row extends PersonRow>(person: Row): Row & User {
  const roles = toRoles(person.roles);
  return { ...person, roles, account_type: toAccountType(roles) };
}

/** The SQL for each field of a profile, separated by commas, so that no statement forgets one. */
export function forProfile(
  toSql: (column: RawBuilder<unknown>, field: keyof Profile) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql.join(PROFILE_FIELDS.map((field) => toSql(sql.ref(field), field)));
}

/** Normalizes text to NFC, so that a name is found in whichever form it was typed. */
export function normalizeProfile<Fields extends Partial<Profile>>(profile: Fields): Fields {
  const fields = Object.entries(profile).map(([name, value]) => [name, value?.normalize('NFC')]);
  return Object.fromEntries(fields);
}
