import { cleanSearch, readSearch } from '#platform/search/search-text.ts';

/** Search parameters of the page; an empty search is absent, so that each list has one address. */
export interface DirectorySearch {
  search?: string;
}

/** Reads search parameters that may have been typed by hand: invalid ones are ignored. */
export function readDirectorySearch(raw: Record<string, unknown>): DirectorySearch {
  return searchFor(readSearch(raw.search));
}

export function searchFor(text: string): DirectorySearch {
  const search = cleanSearch(text);
  return search === '' ? {} : { search };
}
