/**
 * Returns the path to open after sign-in if it belongs to the portal. Browsers remove tabs and line feeds inside a URL and read
 * a backslash as a slash, so any of them could turn `/x` into another site.
 */
export function toSafePath(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\/(?!\/)[\x21-\x7e]*$/.test(value) || value.includes('\\')) return undefined;
  const address = new URL(value, 'http://own.invalid');
  return address.origin === 'http://own.invalid' && !address.pathname.startsWith('//') ? value : undefined;
}
