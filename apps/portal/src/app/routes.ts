import { index, layout, rootRoute, route } from '@tanstack/virtual-file-routes';

/** The route table of docs/product.md: open screens first, then those that require a session. Any other path is the fallback. */
export const routes = rootRoute('app/root.tsx', [
  route('/login', 'features/session/login.page.tsx'),
  route('/logout', 'features/session/logout.page.tsx'),
  route('/permission_error', 'features/session/permission-error.page.tsx'),
  route('/forgot_password', 'features/session/forgot-password.page.tsx'),
  route('/reset_password', 'features/session/reset-password.page.tsx'),
  route('/signup', 'features/signup/wizard/signup.page.tsx'),
  route('/signup_confirm', 'features/signup/confirm/signup-confirm.page.tsx'),
  route('/setup', 'features/signup/first-team/setup.page.tsx'),
  route('/confirm_email', 'features/account/confirm-email.page.tsx'),
  route('/account', 'features/account/account.page.tsx'),
  layout('protected', 'workspace/session/protected.layout.tsx', [
    layout('shell', 'app/shell/shell.layout.tsx', [
      index('features/home/home.page.tsx'),
      route('/switchTeam', 'app/header/switch-team.page.tsx'),
      route('/users/users', 'features/users/list/users.page.tsx', [
        route('/$userId', 'features/users/panel/panel.page.tsx'),
      ]),
      route('/users/sign_ins', 'features/users/sign-ins/sign-ins.page.tsx'),
      route('/users/company_directory', 'features/directory/list/directory.page.tsx'),
      route('/dashboard/team_settings/retention', 'features/retention/overview/overview.page.tsx'),
      route('/dashboard/team_settings/{$group}_retention', 'features/retention/rules/group.page.tsx'),
      route('/dashboard/team_settings/default_channels', 'features/channels/default-channels.page.tsx'),
      route('/dashboard/integrations', 'features/integrations/tiles/integrations.page.tsx'),
      route('/dashboard/settings/$integrationId', 'features/integrations/connection/credentials.page.tsx'),
      route('/dashboard/triggers', 'features/integrations/triggers/triggers.page.tsx'),
      route('/dashboard/service_tokens', 'features/tokens/tokens.page.tsx'),
      route('/dashboard/audit_log', 'features/audit/audit.page.tsx'),
      route('/compliance_access', 'features/channels/compliance/compliance.page.tsx'),
      route('/dashboard/billing/settings', 'features/billing/settings/settings.page.tsx'),
      route('/dashboard/billing/activity_log', 'features/billing/history/activity-log.page.tsx'),
      route('/dashboard/billing/history', 'features/billing/history/history.page.tsx'),
      route('/dashboard/billing/payment_method', 'features/billing/payment/payment-method.page.tsx'),
      route('/dashboard/billing/change_{$product}_plan', 'features/billing/plans/change-plan.page.tsx'),
      route('/dashboard/billing/{$product}_plans', 'features/billing/plans/plans.page.tsx'),
      route('/dashboard/files', 'features/files/files.page.tsx'),
      route('/guide/$page', 'features/guide/guide.page.tsx'),
      route('$', 'app/pages/fallback.page.tsx'),
    ]),
  ]),
]);
