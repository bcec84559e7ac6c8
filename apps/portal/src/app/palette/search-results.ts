import type { ListedUser } from '@steward/contract/users';
import type { IconName } from '#platform/page/icon.tsx';
import type { Choice } from './choices.ts';

export type SearchResultKind = 'person' | 'entry' | 'channel';

export interface SearchResult {
  kind: SearchResultKind;
  id: string;
  label: string;
  detail: string;
  /** The search text for its screen; '' if that screen has no search. */
  search: string;
  /** Only set for a user that was just found. It is never stored. */
  user?: ListedUser;
}

interface Kind {
  heading: string;
  icon: IconName;
  to: string;
  /** The plural, for the message that they could not be searched. */
  many: string;
}

export const KINDS: Record<SearchResultKind, Kind> = {
  person: { heading: 'People', icon: 'people', to: '/users/users', many: 'people' },
  entry: { heading: 'Company Directory', icon: 'book', to: '/users/company_directory', many: 'the directory' },
  channel: { heading: 'Channels', icon: 'hash', many: 'channels', to: '/dashboard/team_settings/default_channels' },
};

export function toChoice({ kind, id, label, detail, search }: SearchResult): Choice {
  const { icon, to } = KINDS[kind];
  // A user has a panel. Other results are searched for on their screen.
  const action = kind === 'person' ? { to: `${to}/${id}` } : search === '' ? { to } : { to, search: { search } };
  return { id: `${kind} ${id}`, label, detail, icon, words: '', action };
}

const RECENT_MAX = 5;

/** Screens and actions are stored by id. A search result is stored whole, because no list in the portal contains it. */
export type Recent = string | SearchResult;

/** The newest comes first, without duplicates. */
export function withRecent(recents: readonly Recent[], chosen: Recent): Recent[] {
  return [chosen, ...recents.filter((recent) => getKey(recent) !== getKey(chosen))].slice(0, RECENT_MAX);
}

/** Leaves out invalid stored values. */
export function readRecents(text: string | null): Recent[] {
  try {
    const kept: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(kept) ? kept.filter(isRecent).slice(0, RECENT_MAX) : [];
  } catch {
    return [];
  }
}

function getKey(recent: Recent): string {
  return typeof recent === 'string' ? recent : `${recent.kind} ${recent.id}`;
}

function isRecent(kept: unknown): kept is Recent {
  if (typeof kept === 'string') return true;
  if (typeof kept !== 'object' || kept === null) return false;
  const { kind, ...texts } = kept as Partial<Record<keyof SearchResult, unknown>>;
  const fields = [texts.id, texts.label, texts.detail, texts.search];
  return typeof kind === 'string' && Object.hasOwn(KINDS, kind) && fields.every((field) => typeof field === 'string');
}
