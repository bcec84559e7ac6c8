import { createFileRoute } from '@tanstack/react-router';
import { GroupPage } from './group-page.tsx';

export const Route = createFileRoute('/_protected/_shell/dashboard/team_settings/tasks_retention')({
  component: TasksRetentionPage,
});

function TasksRetentionPage() {
  return <GroupPage name="tasks_retention" />;
}
