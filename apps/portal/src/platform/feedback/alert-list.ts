export interface AlertMessage {
  kind: 'success' | 'error';
  text: string;
  title?: string;
  /** A file that the message offers to download. */
  file?: { label: string; name: string; content: Blob };
  /** An action such as Undo, which also closes the message. */
  action?: { label: string; run: () => void };
}

export interface ShownAlert extends AlertMessage {
  key: number;
}

/** The product reference gives this title for every error alert. */
export const ERROR_TITLE = 'An Error Occurred!';

/** Maximum number of visible messages. The oldest is removed. */
const ALERTS_MAX = 4;

let shown: readonly ShownAlert[] = [];
let lastKey = 0;
const watchers = new Set<() => void>();

export function addAlert(message: AlertMessage): void {
  lastKey += 1;
  const others = shown.filter(({ kind, text }) => kind !== message.kind || text !== message.text);
  replace([...others, { ...message, key: lastKey }].slice(-ALERTS_MAX));
}

export function dismissAlert(key: number): void {
  replace(shown.filter((alert) => alert.key !== key));
}

/** Removes every message, as a sign-out must. */
export function clearAlerts(): void {
  replace([]);
}

export function shownAlerts(): readonly ShownAlert[] {
  return shown;
}

/** Calls `watcher` at each change, until the returned function is called. */
export function subscribeToAlerts(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

function replace(alerts: readonly ShownAlert[]): void {
  shown = alerts;
  for (const watcher of watchers) watcher();
}
