import { useMantineColorScheme } from '@mantine/core';
import type { ListedUser, UserAction } from '@steward/contract/users';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { openSwitchTeam } from '#workspace/teams/switch-team.ts';
import { openShortcuts } from '../help/shortcuts.ts';
import type { PaletteAction } from './choices.ts';

interface Means {
  /** Gives the focus back to where it was before the palette was opened. */
  restoreFocus: () => void;
  openUserDialog: (name: UserAction, user: ListedUser) => void;
}

/** Runs the chosen action. */
export function useRunAction({ restoreFocus, openUserDialog }: Means): (action: PaletteAction) => void {
  const navigate = useNavigate();
  const router = useRouter();
  const { setColorScheme } = useMantineColorScheme();
  const goTo = ({ to, search, command }: Extract<PaletteAction, { to: string }>) => {
    const isHere = router.state.location.pathname === to;
    const state = command === undefined ? {} : { command };
    if (isHere && search === undefined) {
      // A screen that is shown already keeps its search.
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
