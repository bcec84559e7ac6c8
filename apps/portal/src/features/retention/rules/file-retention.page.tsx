import { createFileRoute } from '@tanstack/react-router';
import { GroupPage } from './group-page.tsx';

export const Route = createFileRoute('/_protected/_shell/dashboard/team_settings/file_retention')({
  component: FileRetentionPage,
});

function FileRetentionPage() {
  return <GroupPage name="file_retention" />;
}
