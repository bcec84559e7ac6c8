import { Email } from '@steward/contract/api/fields';

/** Parses SECURITY_CONTACT, an email address or an https URL. Returns a URL. */
export function parseSecurityContact(value: string): string {
  const text = value.trim();
  const email = Email.safeParse(text.replace(/^mailto:/i, ''));
  if (email.success) return `mailto:${email.data}`;
  if (URL.canParse(text) && new URL(text).protocol === 'https:') return new URL(text).href;
  throw new Error('must be an email address or a URL that starts with https://');
}
