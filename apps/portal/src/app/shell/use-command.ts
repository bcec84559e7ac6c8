import { useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';

/**
 * Presses the button that a screen was opened for, as soon as it is rendered. The command travels in the tab's
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
    return waitForElement(`#main [data-command="${CSS.escape(command)}"]`, press);
  }, [command]);
}

/** Calls back when an element appears, after the effects of the new screen; until the returned function is called. */
function waitForElement(selector: string, onFound: (element: HTMLElement) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const check = () => {
    const found = document.querySelector<HTMLElement>(selector);
    if (found === null || timer !== undefined) return;
    watcher.disconnect();
    timer = setTimeout(() => onFound(found));
  };
  const watcher = new MutationObserver(check);
  watcher.observe(document.body, { subtree: true, childList: true, attributeFilter: ['data-command'] });
  check();
  return () => {
    watcher.disconnect();
    clearTimeout(timer);
  };
}
