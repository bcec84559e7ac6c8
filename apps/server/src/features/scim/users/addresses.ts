import { toAddress, type UserInput } from './user.ts';

/** All addresses in lowercase, the one that counts first. */
export function listAddresses(user: Pick<UserInput, 'userName' | 'emails'>): string[] {
  return [...new Set([toAddress(user), ...(user.emails ?? []).map(({ value }) => value.toLowerCase())])];
}

/** The domain of an address. */
export function getDomain(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}
