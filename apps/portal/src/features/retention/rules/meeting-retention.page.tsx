import { createFileRoute } from '@tanstack/react-router';
import { GroupPage } from './group-page.tsx';

export const Route = createFileRoute('/_protected/_shell/dashboard/team_settings/meeting_retention')({
  component: MeetingRetentionPage,
});

function MeetingRetentionPage() {
  return <GroupPage name="meeting_retention" />;
}
