import { createFileRoute } from '@tanstack/react-router';
import { GroupPage } from './group-page.tsx';

export const Route = createFileRoute('/_protected/_shell/dashboard/team_settings/notes_retention')({
  component: NotesRetentionPage,
});

function NotesRetentionPage() {
  return <GroupPage name="notes_retention" />;
}
