/** Where the identity provider leads back to: a page that tells the other tabs. */
export const CONFIRMED_PATH = '/identity_confirmed';

const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('steward.confirmed');

/**
 * Tells the other tabs of this browser that the identity provider confirmed who holds the session, and calls `onReceived` once one that
 * waited has heard it: a tab that closes at once may take its message with it. Until the returned function is called.
 */
export function announceConfirmation(onReceived: () => void): () => void {
  const stop = listen('received', onReceived);
  channel?.postMessage('confirmed');
  return stop;
}

/** Calls `watcher` when another tab was confirmed, until the returned function is called. */
export function subscribeToConfirmation(watcher: () => void): () => void {
  return listen('confirmed', () => {
    channel?.postMessage('received');
    watcher();
  });
}

function listen(message: string, watcher: () => void): () => void {
  const hear = ({ data }: MessageEvent) => {
    if (data === message) watcher();
  };
  channel?.addEventListener('message', hear);
  return () => channel?.removeEventListener('message', hear);
}
