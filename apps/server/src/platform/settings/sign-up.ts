import { domainToASCII } from 'node:url';
import type { SignUpAccess } from '@steward/contract/signup';

/** Who may sign up a team: anyone, owners of an address in one of the domains, or no one. */
export interface SignUpSetting {
  mode: SignUpAccess;
  /** In lower case and ASCII; empty unless the mode is `domains`. */
  domains: readonly string[];
}

/** The part of an email address after the @ has this form. */
const DOMAIN = /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}$/;
const LIST = 'domains:';

/** Parses SIGNUP; throws an error that says what is wrong. */
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

/** Whether the setting admits an address, which is in lower case. Domains are compared as a whole. */
export function admitsAddress({ mode, domains }: SignUpSetting, email: string): boolean {
  if (mode !== 'domains') return mode === 'open';
  return domains.includes(email.slice(email.lastIndexOf('@') + 1));
}
