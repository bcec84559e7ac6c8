/** The identity provider returns to this page, which notifies the other tabs. */
export const CONFIRMED_PATH = '/identity_confirmed';

const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('steward.confirmed');

/**
 * Notifies the other tabs of this browser that the identity provider confirmed the user, and calls `onReceived` after a waiting
 * tab has received it: a tab that closes immediately may lose its message. Runs until the returned function is called.
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
