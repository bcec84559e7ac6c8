import { stored } from '#platform/storage/browser-storage.ts';
import { readUsersSearch, type UsersSearch } from './filters.ts';

export interface SavedView {
  name: string;
  search: UsersSearch;
}

export const VIEWS_MAX = 20;
export const VIEW_NAME_MAX = 40;

/** Views are kept in this browser, separately for each user and team. */
export function getSavedViews(teamId: string, userId: string) {
  return stored(`user-views.${teamId}.${userId}`);
}

/** Invalid views are ignored. */
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

/** The search text isn't saved, because it may be someone's name and would stay in the browser. */
export function toView(name: string, { search: _, ...search }: UsersSearch): SavedView {
  return { name: cleanName(name), search };
}

/** A view with the same name is replaced. */
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

export function isShown(view: SavedView, current: UsersSearch): boolean {
  const { search: _, ...shown } = current;
  const toText = (search: UsersSearch) => JSON.stringify(Object.entries(search).sort());
  return toText(view.search) === toText(shown);
}
