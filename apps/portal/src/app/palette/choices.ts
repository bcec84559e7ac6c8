import type { ListedUser, UserAction } from '@steward/contract/users';
import { ACTION_ICONS, getMenu } from '#features/users/actions/actions.rules.ts';
import type { IconName } from '#platform/page/icon.tsx';
import type { Searchable } from './match-items.ts';

/** The palette presses the button on a screen that has the same name in `usePressByCommand`. */
export type Command =
  | 'add user'
  | 'add invitation link'
  | 'import users'
  | 'download users'
  | 'add entry'
  | 'upload entries'
  | 'download entries'
  | 'run retention'
  | 'create hold'
  | 'add token';

export type LocalAction = 'switch team' | 'shortcuts' | 'light' | 'dark' | 'auto';

export type PaletteAction =
  | { to: string; search?: Readonly<Record<string, string>>; command?: Command }
  | { act: LocalAction }
  | { user: ListedUser; name: UserAction };

export interface Choice extends Searchable {
  id: string;
  icon: IconName;
  /** The location, or a detail that distinguishes it from similar choices. */
  detail: string;
  action: PaletteAction;
  /** A screen below another one is offered only as a search result. */
  isSubscreen?: true;
}

export interface Places {
  label: string;
  items: readonly {
    to: string;
    label: string;
    icon: IconName;
    isAhead?: boolean;
    children?: readonly { to: string; label: string }[];
  }[];
}

/** Synonyms for screens, by the last part of their addresses. */
const WORDS: Record<string, string> = {
  'admin-guide': 'help documentation manual how to',
  users: 'people members admins accounts sessions invite',
  invitation_links: 'invite join qr code share hand out',
  inactivity: 'inactive unused accounts deactivate warn idle last active',
  sign_ins: 'login history failed attempts security password devices',
  company_directory: 'contacts phone numbers address book entries',
  retention: 'delete keep rules policy nightly run',
  provisioning: 'scim okta entra azure ad identity provider sync',
  connected_server: 'chat server govern bridge accept pause rehearsal remote',
  connected_retention: 'delete keep rules orders proof chat messages',
  connected_defaults: 'join channels chat server remote add people',
  holds: 'litigation preserve keep dispute investigation ediscovery',
  default_channels: 'join new people general',
  group_channels: 'join identity provider scim okta entra',
  integrations: 'zendesk help desk tickets triggers webhook',
  service_tokens: 'api key content import',
  compliance_access: 'private direct channels read investigation',
  privacy_requests: 'export data erase delete former users gdpr personal',
  settings: 'invoice company address',
  storage: 'size bytes disk space largest channels',
  files: 'video image text xml office documents',
};

/** `tabs` are additional screens of the item with the same parent path. */
export function screenChoices(groups: readonly Places[], tabs: readonly { to: string; label: string }[]): Choice[] {
  const home: Choice = { ...screen('/', 'Home', 'home'), detail: '' };
  const listed = groups.flatMap(({ label: group, items }) =>
    items
      .filter(({ isAhead }) => isAhead !== true)
      .flatMap((item) => {
        const further = [...(item.children ?? []), ...tabs.filter(({ to }) => isSibling(item.to, to))];
        return [
          { ...screen(item.to, item.label, item.icon), detail: group },
          ...further.map(({ to, label }) => ({
            ...screen(to, `${item.label}: ${label}`, item.icon),
            detail: group,
            isSubscreen: true as const,
          })),
        ];
      }),
  );
  return [home, ...listed];
}

function screen(to: string, label: string, icon: IconName): Omit<Choice, 'detail'> {
  return { id: to, label, icon, words: WORDS[to.split('/').at(-1) ?? ''] ?? '', action: { to } };
}

function isSibling(one: string, other: string): boolean {
  const folder = one.slice(0, one.lastIndexOf('/') + 1);
  return other !== one && other.startsWith(folder) && !other.slice(folder.length).includes('/');
}

const USERS = { to: '/users/users', detail: 'Manage Users' };
const LINKS = { to: '/users/invitation_links', detail: 'Invitation Links' };
const DIRECTORY = { to: '/users/company_directory', detail: 'Company Directory' };
const RETENTION = { to: '/dashboard/team_settings/retention', detail: 'Retention' };
const HOLDS = { to: '/dashboard/team_settings/holds', detail: 'Legal Holds' };
const TOKENS = { to: '/dashboard/service_tokens', detail: 'Service Tokens' };

const ACTIONS: readonly Choice[] = [
  command('add user', { label: 'Add User', icon: 'plus', words: 'invite person member new', ...USERS }),
  command('add invitation link', {
    label: 'Create an invitation link',
    icon: 'plus',
    words: 'add new invite join qr code',
    ...LINKS,
  }),
  command('import users', { label: 'Import users from CSV', icon: 'upload', words: 'upload invite many', ...USERS }),
  command('download users', { label: 'Download users as CSV', icon: 'download', words: 'export people', ...USERS }),
  command('add entry', { label: 'Add Entry', icon: 'plus', words: 'contact directory new', ...DIRECTORY }),
  command('upload entries', { label: 'Upload CSV', icon: 'upload', words: 'import directory', ...DIRECTORY }),
  command('download entries', { label: 'Download directory as CSV', icon: 'download', words: 'export', ...DIRECTORY }),
  command('run retention', { label: 'Run retention now', icon: 'play', words: 'delete', ...RETENTION }),
  command('create hold', { label: 'Create legal hold', icon: 'plus', words: 'litigation preserve keep', ...HOLDS }),
  command('add token', { label: 'Add Token', icon: 'plus', words: 'service api key new', ...TOKENS }),
  here('switch team', { label: 'Switch team', icon: 'swap', words: 'change workspace' }),
  here('shortcuts', { label: 'Keyboard shortcuts', icon: 'keyboard', words: 'keys help hotkeys' }),
  here('light', { label: 'Light theme', icon: 'sun', words: 'color appearance bright' }),
  here('dark', { label: 'Dark theme', icon: 'moon', words: 'color appearance night' }),
  here('auto', { label: 'System theme', icon: 'screen', words: 'color appearance automatic' }),
  { id: 'sign out', label: 'Sign out', icon: 'leave', words: 'log out leave', detail: '', action: { to: '/logout' } },
];

/** Team actions are offered only if `hasTeams`: the user has another team. */
export function actionChoices({ hasTeams }: { hasTeams: boolean }): Choice[] {
  return ACTIONS.filter(({ id }) => hasTeams || id !== 'switch team');
}

type ActionDescription = Pick<Choice, 'label' | 'icon' | 'words'>;

function command(
  name: Command,
  { to, detail, ...described }: ActionDescription & { to: string; detail: string },
): Choice {
  return { id: name, ...described, detail, action: { to, command: name } };
}

function here(act: LocalAction, described: ActionDescription): Choice {
  return { id: act, ...described, detail: '', action: { act } };
}

/** These actions run without leaving the current screen. */
export function userChoices(user: ListedUser): Choice[] {
  return (getMenu(user) ?? [])
    .filter(({ refusal }) => refusal === undefined)
    .map(({ name, label }) => ({
      id: `${name} ${user.id}`,
      label,
      icon: ACTION_ICONS[name],
      words: '',
      detail: '',
      action: name === 'view_sign_ins' ? { to: '/users/sign_ins', search: { user: user.id } } : { user, name },
    }));
}
