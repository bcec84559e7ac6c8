import { useMantineColorScheme } from '@mantine/core';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { openSwitchTeam } from '#workspace/teams/switch-team.ts';
import type { Deed } from './choices.ts';

/** Does what was chosen; `comeBack` gives the focus back to where it was before the palette. */
export function useDeeds(comeBack: () => void): (deed: Deed) => void {
  const navigate = useNavigate();
  const router = useRouter();
  const { setColorScheme } = useMantineColorScheme();
  return (deed) => {
    if ('act' in deed) {
      comeBack();
      if (deed.act === 'switch team') openSwitchTeam();
      else setColorScheme(deed.act);
      return;
    }
    const { to, search, errand } = deed;
    const isHere = router.state.location.pathname === to;
    const state = errand === undefined ? {} : { errand };
    if (isHere && search === undefined) {
      // A screen that is shown already keeps its search.
      void navigate({ to: '.', search: true, state, replace: true, resetScroll: false });
    } else {
      void navigate({ to, search: search === undefined ? {} : { search }, state });
    }
    // Another screen takes the focus when it is there.
    if (isHere && errand === undefined) document.getElementById('main')?.focus({ preventScroll: true });
  };
}
