import { createStore } from '#platform/store.ts';

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

export const shownAlerts = createStore<readonly ShownAlert[]>([]);
let lastKey = 0;

export function addAlert(message: AlertMessage): void {
  lastKey += 1;
  const others = shownAlerts.get().filter(({ kind, text }) => kind !== message.kind || text !== message.text);
  shownAlerts.set([...others, { ...message, key: lastKey }].slice(-ALERTS_MAX));
}

export function dismissAlert(key: number): void {
  shownAlerts.set(shownAlerts.get().filter((alert) => alert.key !== key));
}

/** Removes every message, as a sign-out must. */
export function clearAlerts(): void {
  shownAlerts.set([]);
}
