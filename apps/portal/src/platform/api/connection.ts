import { subscribeToCalls } from './api.ts';
import { UNREACHABLE } from './failure.ts';

/** The state as of the last call and the browser's last event. */
export type Connection = 'online' | 'offline' | 'unreachable';

let answered = true;
const watchers = new Set<() => void>();

subscribeToCalls((outcome) => {
  const now = outcome === 'answered' || outcome.id !== UNREACHABLE;
  if (now === answered) return;
  answered = now;
  notifyAll();
});

export function connection(): Connection {
  if (!navigator.onLine) return 'offline';
  return answered ? 'online' : 'unreachable';
}

/** Calls `watcher` at each change, until the returned function is called. */
export function subscribeToConnection(watcher: () => void): () => void {
  if (watchers.size === 0) for (const event of ['online', 'offline']) addEventListener(event, notifyAll);
  watchers.add(watcher);
  return () => {
    watchers.delete(watcher);
    if (watchers.size === 0) for (const event of ['online', 'offline']) removeEventListener(event, notifyAll);
  };
}

/** Resolves immediately if the browser has a connection. */
export async function connected(): Promise<void> {
  if (!navigator.onLine) await new Promise((resolve) => addEventListener('online', resolve, { once: true }));
}

function notifyAll(): void {
  for (const watcher of watchers) watcher();
}
