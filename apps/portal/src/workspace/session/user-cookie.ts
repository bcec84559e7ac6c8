/** Names of the readable cookie that says a session may exist; the first one on HTTPS. */
const NAMES = ['__Host-steward_user', 'steward_user'] as const;

/** The user id of the readable cookie in `cookies` (the format of `document.cookie`). Anybody may have written it. */
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
