import type { DialogControls } from '#platform/dialogs/dialog.tsx';
import '@mantine/spotlight/styles.layer.css';
import { Modal, useMantineColorScheme } from '@mantine/core';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import type { ListedUser, UserAction } from '@steward/contract/users';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { Suspense, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { DialogName } from '#features/users/actions/user-dialogs.tsx';
import { useDialogState } from '#platform/dialogs/dialog-state.ts';
import { lazyComponent } from '#platform/lazy-component.ts';
import hidden from '#platform/page/visually-hidden.module.css';
import { openSwitchTeam } from '#workspace/teams/teams.ts';
import type { TypeAheadState } from '../header/shortcut.ts';
import { openShortcuts } from '../shell/shortcuts.ts';
import type { Choice, PaletteAction, Places } from './choices.ts';
import classes from './palette.module.css';
import { PaletteSearch } from './palette-search.tsx';
import { useChoices } from './use-choices.ts';

interface PaletteProps extends DialogControls {
  places: readonly Places[];
  ahead: TypeAheadState;
  restoreFocus: () => void;
}

const UserDialogs = lazyComponent(async () => (await import('#features/users/actions/user-dialogs.tsx')).UserDialogs);

const [store, spotlight] = createSpotlight();

/** The text is kept for the next time the palette opens. */
export function Palette({ opened, places, ahead, onClose, restoreFocus }: PaletteProps) {
  const [text, setText] = useState(ahead.text);
  const offered = useChoices(places, opened ? text : '');
  const nowhere = useRef<HTMLElement>(null);
  const dialogs = useDialogState<DialogName, ListedUser>('add', nowhere);
  const run = useRunAction({ restoreFocus, openUserDialog: dialogs.open });
  const chosen = useChosen(opened, (choice) => (choice === null ? restoreFocus() : run(choice.action)));
  useEffect(() => {
    ahead.isReady = true;
  }, [ahead]);
  useEffect(() => {
    if (opened) spotlight.open();
    else spotlight.close();
  }, [opened]);
  const choose = (choice: Choice) => {
    chosen.current = choice;
    offered.remember(choice);
    setText('');
    onClose();
  };
  return (
    <>
      <Spotlight.Root
        store={store}
        query={text}
        onQueryChange={setText}
        onSpotlightClose={onClose}
        shortcut={null}
        clearQueryOnClose={false}
        closeOnActionTrigger={false}
        returnFocus={false}
        size={640}
        yOffset="min(12dvh, 120px)"
        overlayProps={{ backgroundOpacity: 0.45, blur: 0 }}
        transitionProps={{ duration: 0 }}
        classNames={{ content: classes.content ?? '', body: classes.body ?? '', inner: classes.inner ?? '' }}
      >
        <Modal.Title className={hidden.unseen ?? ''}>Search</Modal.Title>
        <PaletteSearch text={text} offered={offered} ahead={ahead} onClose={onClose} onChoose={choose} />
      </Spotlight.Root>
      <Suspense fallback={null}>{dialogs.current.time > 0 && <UserDialogs {...dialogs} />}</Suspense>
    </>
  );
}

/** Runs the choice after the palette has closed, so that no dialog opens on top of another. */
function useChosen(opened: boolean, onClosed: (choice: Choice | null) => void) {
  const chosen = useRef<Choice>(null);
  const finish = useEffectEvent(() => {
    const { current: choice } = chosen;
    chosen.current = null;
    onClosed(choice);
  });
  const wasOpened = useRef(false);
  useEffect(() => {
    if (wasOpened.current && !opened) finish();
    wasOpened.current = opened;
  }, [opened]);
  return chosen;
}

interface RunActionOptions {
  restoreFocus: () => void;
  openUserDialog: (name: UserAction, user: ListedUser) => void;
}

function useRunAction({ restoreFocus, openUserDialog }: RunActionOptions): (action: PaletteAction) => void {
  const navigate = useNavigate();
  const router = useRouter();
  const { setColorScheme } = useMantineColorScheme();
  const goTo = ({ to, search, command }: Extract<PaletteAction, { to: string }>) => {
    const isHere = router.state.location.pathname === to;
    const state = command === undefined ? {} : { command };
    if (isHere && search === undefined) {
      // A screen that is already shown keeps its search.
      void navigate({ to: '.', search: true, state, replace: true, resetScroll: false });
    } else {
      void navigate({ to, search: search ?? {}, state });
    }
    // Another screen takes the focus when it appears.
    if (isHere && command === undefined) document.getElementById('main')?.focus({ preventScroll: true });
  };
  return (action) => {
    if ('to' in action) return goTo(action);
    restoreFocus();
    if ('user' in action) openUserDialog(action.name, action.user);
    else if (action.act === 'switch team') openSwitchTeam();
    else if (action.act === 'shortcuts') openShortcuts();
    else setColorScheme(action.act);
  };
}
