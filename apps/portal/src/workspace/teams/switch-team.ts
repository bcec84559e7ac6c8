import { createOpenState } from '#platform/dialogs/open-state.ts';

/** Any screen can open this dialog. */
export const { open: openSwitchTeam, close: closeSwitchTeam, useIsOpen: useIsSwitchTeamOpen } = createOpenState();
