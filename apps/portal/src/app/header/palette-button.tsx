import { Box, UnstyledButton } from '@mantine/core';
import { Suspense, useEffect, useEffectEvent, useRef, useState } from 'react';
import { lazyComponent } from '#platform/lazy-component.ts';
import { Icon } from '#platform/page/icon.tsx';
import hidden from '#platform/page/visually-hidden.module.css';
import type { Places } from '../palette/choices.ts';
import classes from './header.module.css';
import { hasCommandKey, isShortcut } from './shortcut.ts';
import { useTypeAhead } from './use-type-ahead.ts';

const Palette = lazyComponent(async () => (await import('../palette/palette.tsx')).Palette);

/** Opens the palette by a press or by its keys, from every screen of the shell. */
export function PaletteButton({ places }: { places: readonly Places[] }) {
  const withCommand = hasCommandKey(navigator.platform);
  const button = useRef<HTMLButtonElement>(null);
  const opener = useRef<Element>(null);
  const [opened, setOpened] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  const { ahead, take } = useTypeAhead(opened);
  const open = () => {
    opener.current = document.activeElement;
    setOpened(true);
    setWasOpened(true);
  };
  const restoreFocus = () => {
    const { current } = opener;
    const isThere = current instanceof HTMLElement && current.isConnected && current !== document.body;
    (isThere ? current : button.current)?.focus({ preventScroll: true });
  };
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!isShortcut(event, withCommand)) return take(event);
    event.preventDefault();
    if (opened) setOpened(false);
    // Another open dialog has the keyboard to itself.
    // A panel beside a list is a place to search from; a dialog waits for its answer.
    else if (document.querySelector('[aria-modal="true"]:not([data-panel])') === null) open();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
  return (
    <>
      <UnstyledButton
        ref={button}
        className={`${classes.control} ${classes.framed}`}
        aria-haspopup="dialog"
        aria-keyshortcuts={withCommand ? 'Meta+K' : 'Control+K'}
        onPointerEnter={Palette.preload}
        onClick={open}
      >
        <ButtonFace keys={withCommand ? '⌘ K' : 'Ctrl K'} />
      </UnstyledButton>
      <Suspense fallback={null}>
        {wasOpened && <Palette {...{ opened, places, ahead, restoreFocus }} onClose={() => setOpened(false)} />}
      </Suspense>
    </>
  );
}

function ButtonFace({ keys }: { keys: string }) {
  return (
    <>
      <Icon name="search" size={16} />
      <Box component="span" c="dimmed" className={hidden.unseenOnPhone ?? ''}>
        Search
      </Box>
      <Box
        component="span"
        visibleFrom="sm"
        aria-hidden="true"
        ml={8}
        px={5}
        fz={12}
        c="dimmed"
        bd="1px solid var(--hairline)"
        bdrs={5}
      >
        {keys}
      </Box>
    </>
  );
}
