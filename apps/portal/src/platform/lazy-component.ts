import { type ComponentType, lazy } from 'react';
import { connected } from '#platform/api/connection.ts';

/**
 * A part of a screen whose code comes once it is shown, or before that by `preload`. Without a connection it waits for
 * one: an import that failed would take the whole screen with it, and whatever was typed there.
 */
export function lazyComponent<Props>(load: () => Promise<ComponentType<Props>>) {
  let fetched: Promise<{ default: ComponentType<Props> }> | undefined;
  const loadComponent = async () => {
    await connected();
    return { default: await load() };
  };
  const loadOnce = () => {
    fetched ??= loadComponent();
    return fetched;
  };
  // A failure is reported when the component is rendered; a failed preload is ignored.
  const preload = () => void loadOnce().catch(() => (fetched = undefined));
  return Object.assign(lazy(loadOnce), { preload });
}
