import type { IconName } from '#platform/page/icon.tsx';

/** One link of the sidebar. */
export interface NavItem {
  to: string;
  label: string;
  icon: IconName;
  /** There is no screen for it yet: the link is dimmed and leads to the fallback screen. */
  isAhead?: boolean;
  /** How the paths of its further screens begin: no links lead there, and it is marked while one of them is the screen. */
  within?: readonly string[];
  /** Links below it, shown while it or one of them is the screen. */
  children?: readonly SubItem[];
}

/** A link below another: a word alone. */
export type SubItem = Pick<NavItem, 'to' | 'label'>;

/** A group of the sidebar. */
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
      { to: '/users/users', label: 'Manage Users', icon: 'people' },
      { to: '/users/company_directory', label: 'Company Directory', icon: 'book' },
    ],
  },
  {
    label: 'Team Settings',
    items: [
      {
        to: `${settings}/retention`,
        label: 'Retention',
        icon: 'archive',
        children: [
          { to: `${settings}/file_retention`, label: 'Files' },
          { to: `${settings}/message_retention`, label: 'Messages' },
          { to: `${settings}/notes_retention`, label: 'Notes' },
          { to: `${settings}/tasks_retention`, label: 'Tasks' },
          { to: `${settings}/meeting_retention`, label: 'Meetings' },
          { to: `${settings}/voice_retention`, label: 'Voice' },
        ],
      },
      { to: `${settings}/default_channels`, label: 'Default Channels', icon: 'hash' },
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
        within: ['/dashboard/settings/', '/dashboard/triggers'],
      },
      { to: '/dashboard/service_tokens', label: 'Service Tokens', icon: 'key' },
    ],
  },
  {
    label: 'Workspace',
    items: [
      { to: '/dashboard/billing/settings', label: 'Billing', icon: 'card', within: ['/dashboard/billing/'] },
      { to: '/dashboard/files', label: 'Files', icon: 'folder' },
    ],
  },
  {
    label: 'Security',
    items: [{ to: '/dashboard/audit_log', label: 'Audit Log', icon: 'shield' }],
  },
];
