import type { ListedUser } from '@steward/contract/users';
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
  /** Of a person that was found just now; never stored. */
  user?: ListedUser;
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
  // A person has a panel of their own; other things are looked for on their screen.
  const action = kind === 'person' ? { to: `${to}/${id}` } : search === '' ? { to } : { to, search: { search } };
  return { id: `${kind} ${id}`, label, detail, icon, words: '', action };
}

/** Most choices that are remembered. */
const RECENT_MAX = 5;

/** What was chosen: the id of a screen or an action, or the thing itself, which is in no list of ours. */
export type Recent = string | SearchResult;

/** The newest first, each once. */
export function withRecent(recents: readonly Recent[], chosen: Recent): Recent[] {
  return [chosen, ...recents.filter((recent) => getKey(recent) !== getKey(chosen))].slice(0, RECENT_MAX);
}

/** Reads what was kept; whatever makes no sense is left out. */
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
