import { index, layout, rootRoute, route } from '@tanstack/virtual-file-routes';

/** The route table of spec §2: open screens first, then the ones behind the sign-in. Any other path is the fallback. */
export const routes = rootRoute('app/root.tsx', [
  route('/login', 'features/session/login.page.tsx'),
  route('/logout', 'features/session/logout.page.tsx'),
  route('/permission_error', 'features/session/permission-error.page.tsx'),
  route('/forgot_password', 'features/session/forgot-password.page.tsx'),
  route('/reset_password', 'features/session/reset-password.page.tsx'),
  route('/signup', 'features/signup/signup.page.tsx'),
  route('/signup_confirm', 'features/signup/signup-confirm.page.tsx'),
  layout('protected', 'workspace/protected.layout.tsx', [
    layout('shell', 'app/shell.layout.tsx', [
      index('app/home.page.tsx'),
      route('/switchTeam', 'app/switch-team.page.tsx'),
      route('/users/users', 'features/users/users.page.tsx'),
      route('/users/company_directory', 'features/directory/directory.page.tsx'),
      route('/dashboard/team_settings/retention', 'features/retention/overview.page.tsx'),
      route('/dashboard/team_settings/file_retention', 'features/retention/file-retention.page.tsx'),
      route('/dashboard/team_settings/message_retention', 'features/retention/message-retention.page.tsx'),
      route('/dashboard/team_settings/notes_retention', 'features/retention/notes-retention.page.tsx'),
      route('/dashboard/team_settings/tasks_retention', 'features/retention/tasks-retention.page.tsx'),
      route('/dashboard/team_settings/meeting_retention', 'features/retention/meeting-retention.page.tsx'),
      route('/dashboard/team_settings/voice_retention', 'features/retention/voice-retention.page.tsx'),
      route('/dashboard/team_settings/default_channels', 'features/channels/default-channels.page.tsx'),
      route('/dashboard/integrations', 'features/integrations/integrations.page.tsx'),
      route('/dashboard/settings/$integrationId', 'features/integrations/credentials.page.tsx'),
      route('/dashboard/triggers', 'features/integrations/triggers.page.tsx'),
      route('/dashboard/service_tokens', 'features/tokens/tokens.page.tsx'),
      route('$', 'app/fallback.page.tsx'),
    ]),
  ]),
]);
