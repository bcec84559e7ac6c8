import { Button, Group, Text, UnstyledButton } from '@mantine/core';
import { SWITCH_TEAM_RELOAD_MS } from '@steward/contract/api/limits';
import { useState } from 'react';
import { Dialog, type DialogControls } from '#platform/dialogs/dialog.tsx';
import { Icon } from '#platform/page/icon.tsx';
import { rememberTeam, stayInTeam } from '#workspace/session/session.ts';
import { type AdminTeam, useProtectedSession } from '#workspace/session/session-state.ts';
import classes from './switch-team.module.css';

/** After this time, a page that isn't reloading won't. */
const STAYS_MS = 1_000;

interface SwitchTeamDialogProps extends DialogControls {
  /** Reloads the page, or opens another one if the current URL would open the dialog again. */
  reload?: (teamId: string) => void;
}

/** Choosing another team stores it and reloads the page. */
export function SwitchTeamDialog({ opened, onClose, reload = openTeam }: SwitchTeamDialogProps) {
  const { teams, currentTeam } = useProtectedSession();
  const [chosenId, setChosenId] = useState<string>();

  function choose(team: AdminTeam) {
    if (team.id === currentTeam.id) {
      stayInTeam();
      return onClose();
    }
    setChosenId(team.id);
    rememberTeam(team.id);
    setTimeout(() => {
      reload(team.id);
      // The page stays if the user keeps unsaved changes. While the browser asks about them, no timer runs.
      setTimeout(() => setChosenId(undefined), STAYS_MS);
    }, SWITCH_TEAM_RELOAD_MS);
  }

  return (
    <Dialog opened={opened} onClose={onClose} title="SWITCH TEAM" closable={chosenId === undefined}>
      <Text c="dimmed" mb={12}>
        Teams you manage as an admin or owner.
      </Text>
      <ul className={classes.list}>
        {teams.map((team) => (
          <li key={team.id}>
            <UnstyledButton
              className={classes.team}
              data-autofocus={team.id === currentTeam.id || undefined}
              aria-current={team.id === currentTeam.id || undefined}
              disabled={chosenId !== undefined}
              onClick={() => choose(team)}
            >
              <Text span flex={1} miw={0} fw={500} style={{ overflowWrap: 'anywhere' }}>
                {team.display_name}
              </Text>
              <Text span fz={12}>
                {team.roles.includes('team_owner') ? 'Owner' : 'Admin'}
              </Text>
              <Text span w={18} lh={0}>
                {(chosenId ?? currentTeam.id) === team.id && <Icon name="check" />}
              </Text>
            </UnstyledButton>
          </li>
        ))}
      </ul>
      <Group justify="space-between" mt={16}>
        <span role="status">{chosenId !== undefined && 'Switching…'}</span>
        <Button variant="default" onClick={onClose} disabled={chosenId !== undefined}>
          Cancel
        </Button>
      </Group>
    </Dialog>
  );
}

function openTeam(teamId: string): void {
  const url = new URL(location.href);
  url.searchParams.set('team', teamId);
  location.replace(url);
}
