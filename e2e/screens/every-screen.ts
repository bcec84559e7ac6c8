import type { Page } from '@playwright/test';
import { expect } from '../browser/fixtures.ts';
import type { Team } from '../browser/team-members.ts';
import { credentialsPath } from '../integrations/helpdesk-screen.ts';
import { RETENTION_PATHS } from '../retention/retention-screen.ts';

export interface EveryScreen {
  /** The path in the route table. */
  route: string;
  /** The URL to open, if it differs from the path. */
  address?: string | ((team: Team) => string);
  /** The document title, without the product name. */
  title: string;
  /** The screen looks different for an empty team. */
  isEmptyAtFirst?: boolean;
  /** With a connected help desk, the screen redirects to another one. */
  isOfEmptyTeam?: boolean;
  /** The screen has neither the sidebar nor the header. */
  isOutsideShell?: boolean;
  /** The heading is behind the dialog that the screen opens. */
  isBehindDialog?: boolean;
}

const BILLING = '/dashboard/billing';
const SETTINGS = '/dashboard/team_settings';
/** The forms that RETENTION_PATHS has behind the overview. */
const FORMS = ['File', 'Message', 'Notes', 'Tasks', 'Meeting', 'Voice'];

export const OPEN_SCREENS: readonly EveryScreen[] = [
  { route: '/login', title: 'Sign in' },
  { route: '/logout', title: 'Sign in' },
  { route: '/permission_error', title: 'No access' },
  { route: '/forgot_password', title: 'Forgot Password' },
  { route: '/reset_password', address: '/reset_password?token=unknown-token', title: 'Choose a new password' },
  { route: '/identity_confirmed', title: "You're confirmed" },
  { route: '/continue_as', title: 'Single sign-on' },
  { route: '/signup', title: 'Name your team' },
  { route: '/signup_confirm', address: '/signup_confirm?token=unknown-token', title: 'Sign-up' },
  { route: '/join', address: '/join?token=unknown-token', title: 'Join a team' },
  { route: '/still_needed', address: '/still_needed?token=unknown-token', title: 'Do you still need access?' },
  { route: '/setup', address: '/setup?token=unknown-token', title: 'Set up Steward' },
  { route: '/confirm_email', title: 'Confirm your email address' },
];

/** The screens are in the order of the routes. */
export const TEAM_SCREENS: readonly EveryScreen[] = [
  { route: '/account', title: 'My account', isOutsideShell: true },
  { route: `${SETTINGS}/team`, title: 'Name and Time Zone' },
  { route: `${SETTINGS}/security`, title: 'Sign-in Security' },
  { route: `${SETTINGS}/sso`, title: 'Single Sign-On' },
  { route: '/team_closed', title: "This team can't be opened from here", isOutsideShell: true },
  { route: '/second_factor', title: 'This team requires a second factor', isOutsideShell: true },
  { route: '/', title: 'Home', isEmptyAtFirst: true },
  { route: '/switchTeam', title: 'Home', isBehindDialog: true },
  { route: '/users/users', title: 'Manage Users', isEmptyAtFirst: true },
  {
    route: '/$userId',
    address: (team) => `/users/users/${team.owner.id}`,
    title: 'Olivia Owner · Manage Users',
    isBehindDialog: true,
  },
  { route: '/users/connected_users', title: 'Users on a Connected Server', isEmptyAtFirst: true },
  { route: '/users/invitation_links', title: 'Invitation Links' },
  { route: '/users/inactivity', title: 'Inactivity' },
  { route: '/users/sign_ins', title: 'Sign-in Log', isEmptyAtFirst: true },
  { route: '/users/privacy_requests', title: 'Privacy Requests', isEmptyAtFirst: true },
  { route: '/users/company_directory', title: 'Company Directory', isEmptyAtFirst: true },
  { route: `${SETTINGS}/retention`, title: 'Retention', isEmptyAtFirst: true },
  ...RETENTION_PATHS.slice(1).map((route, at) => ({ route, title: `${FORMS[at]} Retention` })),
  { route: `${SETTINGS}/holds`, title: 'Legal Holds', isEmptyAtFirst: true },
  { route: `${SETTINGS}/connected_server`, title: 'Connected Server', isEmptyAtFirst: true },
  { route: `${SETTINGS}/connected_retention`, title: 'Retention on a Connected Server', isEmptyAtFirst: true },
  { route: `${SETTINGS}/connected_defaults`, title: 'Default Channels on a Connected Server', isEmptyAtFirst: true },
  { route: `${SETTINGS}/default_channels`, title: 'Default Channels', isEmptyAtFirst: true },
  { route: `${SETTINGS}/group_channels`, title: 'Group Channels' },
  { route: `${SETTINGS}/provisioning`, title: 'Provisioning' },
  { route: '/dashboard/integrations', title: 'Integrations', isEmptyAtFirst: true },
  {
    route: '/dashboard/settings/$integrationId',
    address: credentialsPath,
    title: 'Connect Zendesk',
    isOfEmptyTeam: true,
    isEmptyAtFirst: true,
  },
  { route: '/dashboard/triggers', title: 'Triggers', isEmptyAtFirst: true },
  { route: '/dashboard/service_tokens', title: 'Service Tokens', isEmptyAtFirst: true },
  { route: '/dashboard/audit_log', title: 'Audit Log', isEmptyAtFirst: true },
  { route: '/compliance_access', title: 'Compliance Access', isEmptyAtFirst: true },
  { route: `${BILLING}/settings`, title: 'Settings · Billing' },
  { route: `${BILLING}/activity_log`, title: 'Activity Log · Billing' },
  { route: `${BILLING}/history`, title: 'History · Billing' },
  { route: `${BILLING}/payment_method`, title: 'Payment Method · Billing' },
  { route: `${BILLING}/change_{$product}_plan`, address: `${BILLING}/change_steward_plan`, title: 'Plan · Billing' },
  { route: `${BILLING}/{$product}_plans`, address: `${BILLING}/steward_plans`, title: 'All Plans · Billing' },
  { route: '/dashboard/storage', title: 'Storage', isEmptyAtFirst: true },
  { route: '/dashboard/files', title: 'Files' },
  { route: '/guide/$page', address: '/guide/admin-guide', title: 'Admin portal guide' },
  { route: '$', address: '/no/such/place', title: 'Page not found' },
];

export async function openScreen(page: Page, screen: EveryScreen, team: Team): Promise<void> {
  const { route, address = route, isBehindDialog = false } = screen;
  await page.goto(typeof address === 'function' ? address(team) : address);
  await expect(page.getByRole('heading', { level: 1, includeHidden: isBehindDialog })).toBeVisible();
  await page.waitForLoadState('networkidle');
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
}
