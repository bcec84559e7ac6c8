import { cleanSearch, readSearch } from '#platform/search/search-text.ts';

/** An empty search is absent, so that each list has one address. */
export interface DirectorySearch {
  search?: string;
}

/** The parameters may have been typed by hand, so invalid ones are ignored. */
export function readDirectorySearch(raw: Record<string, unknown>): DirectorySearch {
  return searchFor(readSearch(raw.search));
}

export function searchFor(text: string): DirectorySearch {
  const search = cleanSearch(text);
  return search === '' ? {} : { search };
}
