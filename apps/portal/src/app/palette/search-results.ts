import type { IconName } from '#platform/page/icon.tsx';
import type { Choice } from './choices.ts';

/** What is found by name on the server. */
export type SearchResultKind = 'person' | 'entry' | 'channel';

/** One of them, as far as it is shown and gone to. */
export interface SearchResult {
  kind: SearchResultKind;
  id: string;
  label: string;
  detail: string;
  /** What its screen is searched for; '' where that screen has no search. */
  search: string;
}

interface Kind {
  heading: string;
  icon: IconName;
  to: string;
  /** For the line that says that they could not be searched. */
  many: string;
}

/** In the order in which they are shown. */
export const KINDS: Record<SearchResultKind, Kind> = {
  person: { heading: 'People', icon: 'people', to: '/users/users', many: 'people' },
  entry: { heading: 'Company Directory', icon: 'book', to: '/users/company_directory', many: 'the directory' },
  channel: {
    ...{ heading: 'Channels', icon: 'hash', many: 'channels' },
    to: '/dashboard/team_settings/default_channels',
  },
};

export function toChoice({ kind, id, label, detail, search }: SearchResult): Choice {
  const { icon, to } = KINDS[kind];
  const action = search === '' ? { to } : { to, search };
  return { id: `${kind} ${id}`, label, detail, icon, words: '', action };
}
