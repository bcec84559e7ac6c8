import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { HomePanel } from '#features/home/home-panel.tsx';
import { SwitchTeamDialog } from '#workspace/teams/switch-team-dialog.tsx';

export const Route = createFileRoute('/_protected/_shell/switchTeam')({ component: SwitchTeamPage });

/** The address of the dialog: opened over home, and left for home . */
function SwitchTeamPage() {
  const navigate = useNavigate();
  return (
    <>
      <HomePanel />
      <SwitchTeamDialog
        opened
        onClose={() => void navigate({ to: '/', replace: true })}
        reload={() => location.replace('/')}
      />
    </>
  );
}
