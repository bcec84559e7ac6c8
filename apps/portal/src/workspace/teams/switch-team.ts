import { useSyncExternalStore } from 'react';

let opened = false;
const watchers = new Set<() => void>();

/** Opens the switch-team dialog from anywhere. */
export function openSwitchTeam(): void {
  show(true);
}

export function closeSwitchTeam(): void {
  show(false);
}

export function useIsSwitchTeamOpen(): boolean {
  return useSyncExternalStore(watch, () => opened);
}

function show(value: boolean): void {
  opened = value;
  for (const watcher of watchers) watcher();
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}
