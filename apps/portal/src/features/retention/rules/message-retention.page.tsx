import { createFileRoute } from '@tanstack/react-router';
import { GroupPage } from './group-page.tsx';

export const Route = createFileRoute('/_protected/_shell/dashboard/team_settings/message_retention')({
  component: MessageRetentionPage,
});

function MessageRetentionPage() {
  return <GroupPage name="message_retention" />;
}
