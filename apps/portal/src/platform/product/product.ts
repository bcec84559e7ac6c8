import { SIGN_UP_ACCESS, type SignUpAccess } from '@steward/contract/signup';

const DEFAULT_NAME = 'Steward';

/** The server writes the configured name into the page. */
export function productName(): string {
  const named = document.querySelector<HTMLMetaElement>('meta[name="product-name"]')?.content ?? '';
  return named === '' || named.startsWith('__') ? DEFAULT_NAME : named;
}

export function productSlug(): string {
  return toSlug(productName());
}

/** A slug has lowercase letters, digits and single hyphens. */
export function toSlug(name: string): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return slug === '' ? DEFAULT_NAME.toLowerCase() : slug;
}

/** True if some team of this server uses single sign-on. The server writes this into the page. */
export function isSsoOn(): boolean {
  return document.querySelector<HTMLMetaElement>('meta[name="steward-sso"]')?.content === 'on';
}

/** The server writes this value into the page. Without it, the server decides when the form is sent. */
export function getSignUpAccess(): SignUpAccess {
  const given = document.querySelector<HTMLMetaElement>('meta[name="sign-up"]')?.content;
  return SIGN_UP_ACCESS.find((mode) => mode === given) ?? 'open';
}
