/** Names of the readable cookie that says a sign-in may still be there; the first one on https. */
const NAMES = ['__Host-steward_user', 'steward_user'] as const;

/** Whether `cookies` (as `document.cookie` reads) hold a user-id cookie (spec §2, protected-route rule). */
export function hasUserCookie(cookies: string): boolean {
  const names = cookies.split(';').map((pair) => pair.split('=', 1)[0]?.trim());
  return NAMES.some((name) => names.includes(name));
}

/**
 * Assignments to `document.cookie` that remove the user-id cookie from this host and from the domains above it
 * (spec §4, logout). The session cookie cannot be read or written here; the server removes that one.
 */
export function userCookieRemovals(hostname: string): string[] {
  const labels = hostname.split('.');
  const domains = labels.slice(0, -1).map((_, start) => labels.slice(start).join('.'));
  const gone = 'Max-Age=0; Path=/; SameSite=Lax';
  return [
    `${NAMES[0]}=; ${gone}; Secure`,
    `${NAMES[1]}=; ${gone}`,
    ...domains.map((domain) => `${NAMES[1]}=; ${gone}; Domain=${domain}`),
  ];
}
