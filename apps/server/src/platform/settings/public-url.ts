import { parseHost } from './host-name.ts';

const EXAMPLE = 'https://steward.example';

/** Parses PUBLIC_URL and returns its origin; the message of an error completes “PUBLIC_URL: …”. */
export function parsePublicUrl(value: string): string {
  if (/\s/.test(value)) throw new Error(`must not contain blanks; write it as ${EXAMPLE}`);
  if (!/^https?:\/\/[^/\\]/i.test(value) || !URL.canParse(value))
    throw new Error(`must be a URL that starts with https:// or http://; write it as ${EXAMPLE}`);
  const url = new URL(value);
  if (parseHost(url.hostname) === undefined) throw new Error(`has an invalid host name; write it as ${EXAMPLE}`);
  if (url.username !== '' || url.password !== '')
    throw new Error(`must not contain a user or password; write ${url.origin}`);
  if (/[?#\\]/.test(value) || /[^/]/.test(url.pathname))
    throw new Error(`must end after the host and port, without a path, query or fragment; write ${url.origin}`);
  return url.origin;
}
