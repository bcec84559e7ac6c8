/**
 * The path after a sign-in: one of this server, otherwise the home page, and never the start of another sign-in. Browsers remove tabs and line feeds from a URL and
 * read a backslash as a slash, so each of these could lead to another site.
 */
export function toReturnPath(value: unknown): string {
  if (typeof value !== 'string' || value.length > 1_000) return '/';
  if (!/^\/(?!\/)[\x21-\x7e]*$/.test(value) || value.includes('\\')) return '/';
  const address = new URL(value, 'http://own.invalid');
  return address.origin === 'http://own.invalid' && !/^\/(?:\/|auth(?:\/|$))/.test(address.pathname) ? value : '/';
}
