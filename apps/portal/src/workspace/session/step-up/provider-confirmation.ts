/** Where the identity provider leads back to: a page that tells the other tabs. */
export const CONFIRMED_PATH = '/identity_confirmed';

const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('steward.confirmed');

/** Tells the other tabs of this browser that the identity provider confirmed who holds the session. */
export function announceConfirmation(): void {
  channel?.postMessage('confirmed');
}

/** Calls `watcher` when another tab was confirmed, until the returned function is called. */
export function subscribeToConfirmation(watcher: () => void): () => void {
  channel?.addEventListener('message', watcher);
  return () => channel?.removeEventListener('message', watcher);
}
