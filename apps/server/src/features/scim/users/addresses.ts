import { toAddress, type UserInput } from './user.ts';

/** Returns the addresses in lowercase, the effective one first. */
export function listAddresses(user: Pick<UserInput, 'userName' | 'emails'>): string[] {
  return [...new Set([toAddress(user), ...(user.emails ?? []).map(({ value }) => value.toLowerCase())])];
}

export function getDomain(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}
