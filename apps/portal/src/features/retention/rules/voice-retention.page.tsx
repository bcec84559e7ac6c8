import { createFileRoute } from '@tanstack/react-router';
import { GroupPage } from './group-page.tsx';

export const Route = createFileRoute('/_protected/_shell/dashboard/team_settings/voice_retention')({
  component: VoiceRetentionPage,
});

function VoiceRetentionPage() {
  return <GroupPage name="voice_retention" />;
}
