/** This readable cookie says that a session may exist. HTTPS uses the first name. */
const NAMES = ['__Host-steward_user', 'steward_user'] as const;

/** `cookies` has the format of `document.cookie`, whose content is not trusted. */
export function readUserCookie(cookies: string): string | undefined {
  const values = new Map(
    cookies.split(';').map((pair) => {
      const [name = '', value = ''] = pair.split('=', 2);
      return [name.trim(), value.trim()];
    }),
  );
  return NAMES.map((name) => values.get(name)).find((value) => value !== undefined);
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
