import { useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';

/**
 * Presses the button that somebody was sent to a screen for, as soon as it is there. The command travels in the tab's
 * history and is done once: no link can carry it, and neither Back nor a reload repeats it.
 */
export function useCommand(): void {
  const command = useRouterState({ select: ({ location }) => location.state.command });
  const navigate = useNavigate();
  const press = useEffectEvent((button: HTMLElement) => {
    void navigate({
      to: '.',
      search: true,
      state: ({ command: _done, ...rest }) => rest,
      replace: true,
      resetScroll: false,
      ignoreBlocker: true,
    });
    button.focus({ preventScroll: true });
    button.click();
  });
  useEffect(() => {
    if (command === undefined) return;
    return waitForElement(`#main [data-errand="${CSS.escape(command)}"]`, press);
  }, [command]);
}

/** Tells when an element has come, after everything that happens when a screen appears; until the returned function is called. */
function waitForElement(selector: string, tell: (element: HTMLElement) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    const found = document.querySelector<HTMLElement>(selector);
    if (found === null || timer !== undefined) return;
    watcher.disconnect();
    timer = setTimeout(() => tell(found));
  };
  const watcher = new MutationObserver(look);
  watcher.observe(document.body, { subtree: true, childList: true, attributeFilter: ['data-errand'] });
  look();
  return () => {
    watcher.disconnect();
    clearTimeout(timer);
  };
}
