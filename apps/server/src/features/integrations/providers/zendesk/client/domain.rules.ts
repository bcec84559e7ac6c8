const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/** What follows the host in an address that was copied while working at the vendor. */
const PATH = '(?:/(?:(?:agent|admin|hc|access|api|auth|explore|chat)(?:[/?#][a-z0-9/_.?=&#%+~,-]*)?)?)?';
const TYPED = new RegExp(`^(?:(${LABEL})|(?:https://)?(${LABEL})\\.zendesk\\.com${PATH})$`);

/**
 * The subdomain that somebody means by `acme`, `acme.zendesk.com` or an address copied from there; undefined for everything
 * else. The credentials are sent to where this leads, so that nothing is guessed: no port, no user, no other host, no letter
 * that only looks like one of these.
 */
export function parseSubdomain(typed: string): string | undefined {
  const plain = typed.replace(/^[ \t]+|[ \t]+$/g, '');
  if (!/^[\x21-\x7e]{1,300}$/.test(plain)) return undefined;
  const match = TYPED.exec(plain.toLowerCase());
  return match?.[1] ?? match?.[2];
}
