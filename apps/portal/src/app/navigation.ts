import type { IconName } from '#platform/page/icon.tsx';

export interface NavItem {
  to: string;
  label: string;
  icon: IconName;
  /** The section of the admin guide about this screen and those within it. */
  guide?: string;
  /** There is no screen yet, so the link is dimmed and opens the fallback screen. */
  isAhead?: boolean;
  /** Prefixes of paths that no link opens. The item is marked while one of them is the current screen. */
  within?: readonly string[];
  /** These links are shown while this item or one of them is the current screen. */
  children?: readonly SubItem[];
}

/** A sublink uses the guide section of its parent, unless it has its own. */
export type SubItem = Pick<NavItem, 'to' | 'label' | 'guide'>;

export interface NavGroup {
  label: string;
  items: readonly NavItem[];
}

const settings = '/dashboard/team_settings';

/** The sidebar's groups in the order that docs/product.md gives. */
export const NAVIGATION: readonly NavGroup[] = [
  {
    label: 'Users',
    items: [
      {
        to: '/users/users',
        label: 'Manage Users',
        icon: 'people',
        guide: 'users',
        within: ['/users/users/', '/users/connected_users'],
        children: [{ to: '/users/inactivity', label: 'Inactivity', guide: 'inactivity' }],
      },
      { to: '/users/invitation_links', label: 'Invitation Links', icon: 'link', guide: 'invitation-links' },
      { to: '/users/sign_ins', label: 'Sign-in Log', icon: 'key', guide: 'sign-in-log' },
      { to: '/users/company_directory', label: 'Company Directory', icon: 'book', guide: 'company-directory' },
    ],
  },
  {
    label: 'Team Settings',
    items: [
      { to: `${settings}/team`, label: 'Name and Time Zone', icon: 'clock', guide: 'name-and-time-zone' },
      {
        to: `${settings}/retention`,
        label: 'Retention',
        icon: 'archive',
        guide: 'retention',
        children: [
          { to: `${settings}/file_retention`, label: 'Files' },
          { to: `${settings}/message_retention`, label: 'Messages' },
          { to: `${settings}/notes_retention`, label: 'Notes' },
          { to: `${settings}/tasks_retention`, label: 'Tasks' },
          { to: `${settings}/meeting_retention`, label: 'Meetings' },
          { to: `${settings}/voice_retention`, label: 'Voice' },
        ],
      },
      { to: `${settings}/holds`, label: 'Legal Holds', icon: 'hold', guide: 'legal-holds' },
      {
        to: `${settings}/connected_server`,
        label: 'Connected Server',
        icon: 'server',
        guide: 'connected-server',
        children: [
          { to: `${settings}/connected_retention`, label: 'Retention' },
          { to: `${settings}/connected_defaults`, label: 'Default Channels' },
        ],
      },
      {
        to: `${settings}/default_channels`,
        label: 'Default Channels',
        icon: 'hash',
        guide: 'default-channels',
        children: [{ to: `${settings}/group_channels`, label: 'Group Channels' }],
      },
    ],
  },
  { label: 'Sms', items: [{ to: '/sms/manage_sms', label: 'Manage Sms', icon: 'phone', isAhead: true }] },
  {
    label: 'Integrations',
    items: [
      {
        to: '/dashboard/integrations',
        label: 'Integrations',
        icon: 'plug',
        guide: 'zendesk',
        within: ['/dashboard/settings/', '/dashboard/triggers'],
      },
      { to: '/dashboard/service_tokens', label: 'Service Tokens', icon: 'key', guide: 'service-tokens' },
    ],
  },
  {
    label: 'Workspace',
    items: [
      {
        to: '/dashboard/billing/settings',
        label: 'Billing',
        icon: 'card',
        guide: 'billing-and-files',
        within: ['/dashboard/billing/'],
      },
      {
        to: '/dashboard/files',
        label: 'Files',
        icon: 'folder',
        guide: 'billing-and-files',
        children: [{ to: '/dashboard/storage', label: 'Storage', guide: 'home-and-search' }],
      },
    ],
  },
  {
    label: 'Security',
    items: [
      { to: '/dashboard/audit_log', label: 'Audit Log', icon: 'shield', guide: 'audit-log' },
      {
        to: `${settings}/security`,
        label: 'Sign-in Security',
        icon: 'key',
        guide: 'sign-in-security',
        children: [
          { to: `${settings}/sso`, label: 'Single Sign-On', guide: 'single-sign-on' },
          { to: `${settings}/provisioning`, label: 'Provisioning', guide: 'provisioning' },
        ],
      },
      { to: '/users/privacy_requests', label: 'Privacy Requests', icon: 'privacy', guide: 'privacy-requests' },
      { to: '/compliance_access', label: 'Compliance Access', icon: 'lock', guide: 'compliance-access' },
    ],
  },
];

export const GUIDE_PAGE = 'admin-guide';

/** The palette offers the guide from here. The sidebar has its own link at the bottom. */
export const HELP: NavGroup = {
  label: 'Help',
  items: [{ to: `/guide/${GUIDE_PAGE}`, label: 'Guide', icon: 'help' }],
};

/** Returns undefined for a screen without a section. */
export function findGuideSection(pathname: string): string | undefined {
  if (pathname === '/') return 'home-and-search';
  const items = NAVIGATION.flatMap((group) => group.items);
  const below = items.flatMap(({ children = [] }) => children).find(({ to }) => to === pathname);
  if (below?.guide !== undefined) return below.guide;
  return items.find(
    ({ to, within = [], children = [] }) =>
      [to, ...children.map((child) => child.to)].includes(pathname) ||
      within.some((start) => pathname.startsWith(start)),
  )?.guide;
}
