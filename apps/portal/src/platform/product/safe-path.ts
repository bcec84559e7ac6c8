/**
 * The path to go to after sign-in when it is one of our own, else nothing. Browsers drop tabs and line feeds inside an
 * address and read a backslash as a slash, so any of them could turn `/x` into another site.
 */
export function toSafePath(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\/(?!\/)[\x21-\x7e]*$/.test(value) || value.includes('\\')) return undefined;
  const address = new URL(value, 'http://own.invalid');
  return address.origin === 'http://own.invalid' && !address.pathname.startsWith('//') ? value : undefined;
}
