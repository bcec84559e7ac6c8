import { SEARCH_MAX } from '@steward/contract/api/limits';

/** Search text as it is looked for: trimmed, and without what the server would refuse to store. */
export function cleanSearch(text: string): string {
  return text.replaceAll('\0', '').toWellFormed().trim().slice(0, SEARCH_MAX).toWellFormed();
}

/** Search text of an address that anybody may have typed; '' where it makes no sense. */
export function readSearch(raw: unknown): string {
  // The router has already read numbers and booleans out of the address; a search for 2024 is text again here.
  return ['string', 'number', 'boolean'].includes(typeof raw) ? cleanSearch(String(raw)) : '';
}
