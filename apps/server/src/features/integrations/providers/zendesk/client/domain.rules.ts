const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/** The path of a URL copied from Zendesk. */
const PATH = '(?:/(?:(?:agent|admin|hc|access|api|auth|explore|chat)(?:[/?#][a-z0-9/_.?=&#%+~,-]*)?)?)?';
const TYPED = new RegExp(`^(?:(${LABEL})|(?:https://)?(${LABEL})\\.zendesk\\.com${PATH})$`);

/**
 * The subdomain in `acme`, `acme.zendesk.com` or a URL copied from Zendesk; undefined for anything else. Credentials are sent
 * to this host, so parsing is strict: no port, no user info, no other host, no look-alike characters.
 */
export function parseSubdomain(typed: string): string | undefined {
  const plain = typed.replace(/^[ \t]+|[ \t]+$/g, '');
  if (!/^[\x21-\x7e]{1,300}$/.test(plain)) return undefined;
  const match = TYPED.exec(plain.toLowerCase());
  return match?.[1] ?? match?.[2];
}
