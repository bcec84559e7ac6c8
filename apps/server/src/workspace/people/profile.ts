import type { Profile } from '@steward/contract/users';

/** Normalizes text to NFC, so that a name is found in whichever form it was typed. */
export function normalizeProfile<Fields extends Partial<Profile>>(profile: Fields): Fields {
  const fields = Object.entries(profile).map(([name, value]) => [name, value?.normalize('NFC')]);
  return Object.fromEntries(fields);
}
