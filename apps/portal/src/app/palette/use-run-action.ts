import { useMantineColorScheme } from '@mantine/core';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { openSwitchTeam } from '#workspace/teams/switch-team.ts';
import type { PaletteAction } from './choices.ts';

/** Does what was chosen; `comeBack` gives the focus back to where it was before the palette. */
export function useRunAction(comeBack: () => void): (action: PaletteAction) => void {
  const navigate = useNavigate();
  const router = useRouter();
  const { setColorScheme } = useMantineColorScheme();
  return (action) => {
    if ('act' in action) {
      comeBack();
      if (action.act === 'switch team') openSwitchTeam();
      else setColorScheme(action.act);
      return;
    }
    const { to, search, command } = action;
    const isHere = router.state.location.pathname === to;
    const state = command === undefined ? {} : { command };
    if (isHere && search === undefined) {
      // A screen that is shown already keeps its search.
      void navigate({ to: '.', search: true, state, replace: true, resetScroll: false });
    } else {
      void navigate({ to, search: search === undefined ? {} : { search }, state });
    }
    // Another screen takes the focus when it is there.
    if (isHere && command === undefined) document.getElementById('main')?.focus({ preventScroll: true });
  };
}
