import { storedInTab } from '#platform/storage/stored.ts';

/** What a mailed link is for. */
export type MailedLink = 'signup' | 'reset';

const kept = { signup: storedInTab('token.signup'), reset: storedInTab('token.reset') };

/**
 * Keeps the token of a link, if the address brings one, in this tab alone: a reload must not lock anybody out, and neither
 * the address, its history nor another tab may know it. Whoever calls this leads to the same screen without the token.
 */
export function takeMailedToken(link: MailedLink, search: string): boolean {
  const token = new URLSearchParams(search).get('token');
  if (token !== null && token !== '') kept[link].write(token);
  return token !== null;
}

export function mailedToken(link: MailedLink): string | null {
  return kept[link].read();
}

/** The link was used or refused; signing out forgets it too. */
export function dropMailedToken(link: MailedLink): void {
  kept[link].clear();
}
