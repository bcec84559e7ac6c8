import { SEARCH_MAX } from '@steward/contract/api/limits';

/** Trims the text and removes characters that the server would refuse to store. */
export function cleanSearch(text: string): string {
  return text.replaceAll('\0', '').toWellFormed().trim().slice(0, SEARCH_MAX).toWellFormed();
}

/** Reads the search text of a URL, which may have any content. Returns '' for invalid text. */
export function readSearch(raw: unknown): string {
  // The router has already converted numbers and booleans, so a search for 2024 becomes text again here.
  return ['string', 'number', 'boolean'].includes(typeof raw) ? cleanSearch(String(raw)) : '';
}
