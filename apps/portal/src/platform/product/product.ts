const DEFAULT_NAME = 'Steward';

/** Name of the product as configured; the server writes it into the page. */
export function productName(): string {
  const named = document.querySelector<HTMLMetaElement>('meta[name="product-name"]')?.content ?? '';
  return named === '' || named.startsWith('__') ? DEFAULT_NAME : named;
}

/** Name of the product in file names. */
export function productSlug(): string {
  return toSlug(productName());
}

/** Lower-case letters, digits and single hyphens. */
export function toSlug(name: string): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return slug === '' ? DEFAULT_NAME.toLowerCase() : slug;
}
