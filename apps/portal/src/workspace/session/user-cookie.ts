/** Names of the readable cookie that says a session may exist; the first one on HTTPS. */
const NAMES = ['__Host-steward_user', 'steward_user'] as const;

/** Whether `cookies` (the format of `document.cookie`) contain a user-id cookie. */
export function hasUserCookie(cookies: string): boolean {
  const names = cookies.split(';').map((pair) => pair.split('=', 1)[0]?.trim());
  return NAMES.some((name) => names.includes(name));
}

/**
 * Assignments to `document.cookie` that remove the user-id cookie from this host and its parent domains. Scripts can't
 * access the session cookie; the server removes it.
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
