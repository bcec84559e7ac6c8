import { createOpenState } from '#platform/dialogs/open-state.ts';

/** The switch-team dialog, which any screen can open. */
export const { open: openSwitchTeam, close: closeSwitchTeam, useIsOpen: useIsSwitchTeamOpen } = createOpenState();
