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
