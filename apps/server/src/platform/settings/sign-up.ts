import { domainToASCII } from 'node:url';
import type { SignUpAccess } from '@steward/contract/signup';

/** Sign-up of teams: open to everyone, to addresses in one of the domains, or to no one. */
export interface SignUpSetting {
  mode: SignUpAccess;
  /** In lower case and ASCII; empty unless the mode is `domains`. */
  domains: readonly string[];
}

const DOMAIN = /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}$/;
const LIST = 'domains:';

export function parseSignUpSetting(value: string): SignUpSetting {
  const text = value.trim();
  if (text === 'open' || text === 'off') return { mode: text, domains: [] };
  if (!text.startsWith(LIST))
    throw new Error('must be open, off, or domains: and a list such as domains:a.example,b.example');
  const names = text.slice(LIST.length).split(',');
  const domains = names.map((name) => {
    const domain = domainToASCII(name.trim());
    if (!DOMAIN.test(domain)) throw new Error(`“${name.trim()}” is not a domain name`);
    return domain;
  });
  return { mode: 'domains', domains: [...new Set(domains)] };
}

/** The address must be in lower case. Subdomains don't count. */
export function admitsAddress({ mode, domains }: SignUpSetting, email: string): boolean {
  if (mode !== 'domains') return mode === 'open';
  return domains.includes(email.slice(email.lastIndexOf('@') + 1));
}
