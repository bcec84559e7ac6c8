import { type ComponentType, lazy } from 'react';
import { connected } from '#platform/api/connection.ts';

/**
 * The code of this part of a screen is loaded when it is shown, or earlier by `preload`. Without a connection it waits for one:
 * a failed import would replace the whole screen and lose the user's input.
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
