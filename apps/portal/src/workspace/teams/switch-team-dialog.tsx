import { Button, UnstyledButton } from '@mantine/core';
import { SWITCH_TEAM_RELOAD_MS } from '@steward/contract/api/limits';
import { useState } from 'react';
import { Dialog } from '#platform/dialogs/dialog.tsx';
import { Icon } from '#platform/page/icon.tsx';
import { rememberTeam } from '#workspace/session/session.ts';
import type { AdminTeam } from '#workspace/session/session-state.ts';
import { useProtectedSession } from '#workspace/session/use-session.ts';
import classes from './switch-team.module.css';

interface SwitchTeamDialogProps {
  opened: boolean;
  onClose: () => void;
  /** Loads the page again; another address than this one, when this one would only open the dialog again. */
  reload?: () => void;
}

/** Lists the teams the person may manage; another choice is stored and the page loaded again (spec §2). */
export function SwitchTeamDialog({ opened, onClose, reload = reloadPage }: SwitchTeamDialogProps) {
  const { teams, currentTeam } = useProtectedSession();
  const [chosenId, setChosenId] = useState<string>();

  function choose(team: AdminTeam) {
    if (team.id === currentTeam.id) return onClose();
    setChosenId(team.id);
    rememberTeam(team.id);
    setTimeout(reload, SWITCH_TEAM_RELOAD_MS);
  }

  return (
    <Dialog opened={opened} onClose={onClose} title="SWITCH TEAM" closable={chosenId === undefined}>
      <p className={classes.lead}>Teams you are an admin or owner of.</p>
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
              <span className={classes.name}>{team.display_name}</span>
              <span className={classes.role}>{team.roles.includes('team_owner') ? 'Owner' : 'Admin'}</span>
              <span className={classes.mark}>{(chosenId ?? currentTeam.id) === team.id && <Icon name="check" />}</span>
            </UnstyledButton>
          </li>
        ))}
      </ul>
      <div className={classes.foot}>
        <span role="status">{chosenId !== undefined && 'Switching…'}</span>
        <Button variant="default" onClick={onClose} disabled={chosenId !== undefined}>
          Cancel
        </Button>
      </div>
    </Dialog>
  );
}

function reloadPage(): void {
  location.reload();
}
