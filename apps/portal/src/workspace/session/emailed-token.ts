import { tabStorage } from '#platform/storage/browser-storage.ts';

/** What a mailed link is for. */
export type EmailedLink = 'signup' | 'reset';

const kept = { signup: tabStorage('token.signup'), reset: tabStorage('token.reset') };

/**
 * Keeps the token of a link, if the address brings one, in this tab alone: a reload must not lock anybody out, and neither
 * the address, its history nor another tab may know it. Whoever calls this leads to the same screen without the token.
 */
export function takeEmailedToken(link: EmailedLink, search: string): boolean {
  const token = new URLSearchParams(search).get('token');
  if (token !== null && token !== '') kept[link].write(token);
  return token !== null;
}

export function getEmailedToken(link: EmailedLink): string | null {
  return kept[link].read();
}

/** The link was used or refused; signing out forgets it too. */
export function clearEmailedToken(link: EmailedLink): void {
  kept[link].clear();
}
