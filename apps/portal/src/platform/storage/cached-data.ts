const clearers = new Set<() => void>();

/** The callback removes some cached data when the session ends. */
export function registerCache(clear: () => void): void {
  clearers.add(clear);
}

/** Code that no screen has loaded yet has nothing to remove. */
export function clearCachedData(): void {
  for (const clear of clearers) clear();
}
