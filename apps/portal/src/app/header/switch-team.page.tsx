import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { HomePanel } from '#features/home/home-panel.tsx';
import { SwitchTeamDialog } from '#workspace/teams/switch-team-dialog.tsx';

export const Route = createFileRoute('/_protected/_shell/switchTeam')({ component: SwitchTeamPage });

/** This URL opens the dialog over the home screen and returns to it. */
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
