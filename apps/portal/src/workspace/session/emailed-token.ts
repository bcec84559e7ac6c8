import { tabStorage } from '#platform/storage/browser-storage.ts';

/** The purpose of a link. That of the setup is printed by the server, and an admin hands out those to join. */
export type EmailedLink = 'signup' | 'setup' | 'reset' | 'email' | 'join' | 'still_needed';

const tokens = {
  signup: tabStorage('token.signup'),
  setup: tabStorage('token.setup'),
  reset: tabStorage('token.reset'),
  email: tabStorage('token.email'),
  join: tabStorage('token.join'),
  still_needed: tabStorage('token.still_needed'),
};

/**
 * Stores the token of a link, if the URL has one, in this tab only: a reload must not lock anyone out, and the URL, the
 * history and other tabs must not contain it. The caller then redirects to the same screen without the token.
 */
export function takeEmailedToken(link: EmailedLink, search: string): boolean {
  const token = new URLSearchParams(search).get('token');
  if (token !== null && token !== '') keepEmailedToken(link, token);
  return token !== null;
}

export function keepEmailedToken(link: EmailedLink, token: string): void {
  tokens[link].write(token);
}

export function getEmailedToken(link: EmailedLink): string | null {
  return tokens[link].read();
}

/** Removes the token of a used or refused link. Signing out removes it too. */
export function clearEmailedToken(link: EmailedLink): void {
  tokens[link].clear();
}
