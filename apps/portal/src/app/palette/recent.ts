import { KINDS, type SearchResult } from './search-results.ts';

/** Most choices that are remembered. */
const RECENT_MAX = 5;

/** What was chosen: the id of a screen or an action, or the thing itself, which is in no list of ours. */
export type Recent = string | SearchResult;

/** The newest first, each once. */
export function withRecent(recents: readonly Recent[], chosen: Recent): Recent[] {
  return [chosen, ...recents.filter((recent) => keyOf(recent) !== keyOf(chosen))].slice(0, RECENT_MAX);
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

function keyOf(recent: Recent): string {
  return typeof recent === 'string' ? recent : `${recent.kind} ${recent.id}`;
}

function isRecent(kept: unknown): kept is Recent {
  if (typeof kept === 'string') return true;
  if (typeof kept !== 'object' || kept === null) return false;
  const { kind, ...texts } = kept as Partial<Record<keyof SearchResult, unknown>>;
  const fields = [texts.id, texts.label, texts.detail, texts.search];
  return typeof kind === 'string' && Object.hasOwn(KINDS, kind) && fields.every((field) => typeof field === 'string');
}
