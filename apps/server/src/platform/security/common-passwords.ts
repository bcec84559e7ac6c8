import { normalizePassword } from '@steward/contract/session/passwords';
import { dictionary } from '@zxcvbn-ts/language-common';

const COMMON = new Set<string>(dictionary['passwords-common']);

/** Ignores case and width. */
export function isCommonPassword(password: string): boolean {
  return COMMON.has(normalizePassword(password).toLowerCase());
}
