const clearers = new Set<() => void>();

/** Registers what removes some cached data when the session ends. */
export function registerCache(clear: () => void): void {
  clearers.add(clear);
}

/** Removes all cached data. What no screen has loaded yet has nothing to remove. */
export function clearCachedData(): void {
  for (const clear of clearers) clear();
}
