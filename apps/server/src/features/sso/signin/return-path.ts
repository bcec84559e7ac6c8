/**
 * The path that a sign-in goes on to: one of this server, else home. Browsers drop tabs and line feeds inside an address and read a
 * backslash as a slash, so any of them could lead to another site.
 */
export function toReturnPath(value: unknown): string {
  if (typeof value !== 'string' || value.length > 1_000) return '/';
  if (!/^\/(?!\/)[\x21-\x7e]*$/.test(value) || value.includes('\\')) return '/';
  const address = new URL(value, 'http://own.invalid');
  return address.origin === 'http://own.invalid' && !address.pathname.startsWith('//') ? value : '/';
}
