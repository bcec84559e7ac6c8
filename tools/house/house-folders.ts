import { posix } from 'node:path';
import type { House, Problem } from './house-files.ts';

/** Most files in one folder, tests and stylesheets included: past it, a newcomer reads a list instead of a place. */
const MAX_FILES = 15;
/** Folders whose files are a numbered series, not a room. */
const SERIES = new Set(['docs/decisions', 'apps/server/src/migrations']);

/** A folder with too many files holds several thoughts: it gets inner folders named after what an admin does. */
export function crowdedFolders(house: House): Problem[] {
  const counts = new Map<string, number>();
  for (const file of house.files) {
    const folder = posix.dirname(file);
    if (folder !== '.') counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([folder, count]) => count > MAX_FILES && !SERIES.has(folder))
    .map(([folder, count]) => ({ rule: 'folders', file: folder, text: `${count} files, ${MAX_FILES} at most` }));
}
