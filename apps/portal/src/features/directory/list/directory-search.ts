import { cleanSearch, readSearch } from '#platform/search/search-text.ts';

/** What the address bar holds: no search is absent, so that one list has one address. */
export interface DirectorySearch {
  search?: string;
}

/** Reads an address that anybody may have typed: what makes no sense is left out, never refused. */
export function readDirectorySearch(raw: Record<string, unknown>): DirectorySearch {
  return searchFor(readSearch(raw.search));
}

export function searchFor(text: string): DirectorySearch {
  const search = cleanSearch(text);
  return search === '' ? {} : { search };
}
