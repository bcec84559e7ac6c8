import { stored } from '#platform/storage/browser-storage.ts';
import { readUsersSearch, type UsersSearch } from './filters.ts';

/** Filters and order of the list under a name. */
export interface SavedView {
  name: string;
  search: UsersSearch;
}

/** Most views that are kept, and the longest name of one. */
export const VIEWS_MAX = 20;
export const VIEW_NAME_MAX = 40;

/** Where the views of a person in a team are kept in this browser. */
export function viewsOf(teamId: string, personId: string) {
  return stored(`user-views.${teamId}.${personId}`);
}

/** Reads what was kept; whatever makes no sense is left out. */
export function readViews(text: string | null): SavedView[] {
  try {
    const kept: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(kept) ? kept.flatMap(readView).slice(0, VIEWS_MAX) : [];
  } catch {
    return [];
  }
}

function readView(kept: unknown): SavedView[] {
  const { name, search } = (kept ?? {}) as Partial<Record<keyof SavedView, unknown>>;
  if (typeof name !== 'string' || cleanName(name) === '' || typeof search !== 'object' || search === null) return [];
  return [toView(name, readUsersSearch(search as Record<string, unknown>))];
}

/** A view holds no search text, which may be someone's name and would stay in the browser. */
export function toView(name: string, { search: _, ...search }: UsersSearch): SavedView {
  return { name: cleanName(name), search };
}

/** The views with this one, which replaces the one of the same name. */
export function withView(views: readonly SavedView[], view: SavedView): SavedView[] {
  const others = withoutView(views, view.name);
  return [...others, view].sort((a, b) => a.name.localeCompare(b.name, 'en')).slice(0, VIEWS_MAX);
}

export function withoutView(views: readonly SavedView[], name: string): SavedView[] {
  return views.filter((view) => view.name !== name);
}

export function cleanName(name: string): string {
  return name.trim().replace(/\s+/g, ' ').slice(0, VIEW_NAME_MAX);
}

/** Whether the list shows just this view. */
export function isShown(view: SavedView, current: UsersSearch): boolean {
  const { search: _, ...shown } = current;
  const toText = (search: UsersSearch) => JSON.stringify(Object.entries(search).sort());
  return toText(view.search) === toText(shown);
}
