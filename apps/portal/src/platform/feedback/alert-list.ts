/** One message to the person; errors are titled as spec §8 says. */
export interface AlertMessage {
  kind: 'success' | 'error';
  text: string;
  title?: string;
  /** A file to take along from the message. */
  file?: { label: string; name: string; content: Blob };
  /** Something to do from the message, such as Undo; the message closes. */
  action?: { label: string; run: () => void };
}

/** A message on the screen. */
export interface ShownAlert extends AlertMessage {
  key: number;
}

/** Title of every error alert (spec §8). */
export const ERROR_TITLE = 'An Error Occurred!';

/** Most messages on the screen; the oldest makes room. */
const ALERTS_MAX = 4;

let shown: readonly ShownAlert[] = [];
let lastKey = 0;
const watchers = new Set<() => void>();

/** Puts a message on the screen; the same message is not stacked twice. */
export function addAlert(message: AlertMessage): void {
  lastKey += 1;
  const others = shown.filter(({ kind, text }) => kind !== message.kind || text !== message.text);
  replace([...others, { ...message, key: lastKey }].slice(-ALERTS_MAX));
}

/** Takes one message off the screen. */
export function dismissAlert(key: number): void {
  replace(shown.filter((alert) => alert.key !== key));
}

/** Takes every message off the screen, as a sign-out must. */
export function clearAlerts(): void {
  replace([]);
}

/** Messages on the screen, oldest first. */
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
