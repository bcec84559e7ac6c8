import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/Menu.layer.css';
import { Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import type { User } from '@steward/contract/users';
import { Link } from '@tanstack/react-router';
import { Icon, type IconName } from '#platform/page/icon.tsx';
import hidden from '#platform/page/visually-hidden.module.css';
import { fullName } from '#workspace/people/initials.ts';
import { PersonAvatar } from '#workspace/people/person-avatar.tsx';
import { useSignedInUser } from '#workspace/session/use-session.ts';
import classes from './account-menu.module.css';

const STATUS_WORDS: Record<User['status'], string> = {
  online: 'Online',
  away: 'Away',
  dnd: 'Do not disturb',
  offline: 'Offline',
};

const SCHEMES = [
  { value: 'light', label: 'Light', icon: 'sun' },
  { value: 'dark', label: 'Dark', icon: 'moon' },
  { value: 'auto', label: 'System', icon: 'screen' },
] as const satisfies readonly { value: string; label: string; icon: IconName }[];

/** The signed-in person: status, name and picture, with the menu behind them. */
export function AccountMenu() {
  const user = useSignedInUser();
  return (
    <Menu position="bottom-end" width={272} offset={6} withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <UnstyledButton className={classes.target}>
          <Status status={user.status} />
          <span className={classes.name}>{fullName(user)}</span>
          <PersonAvatar person={user} />
          <span className={hidden.unseen}>, account</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label className={classes.who}>
          <span className={classes.whoName}>{fullName(user)}</span>
          <span className={classes.email}>{user.email}</span>
          <Status status={user.status} />
        </Menu.Label>
        <Menu.Divider />
        <ThemeChoice />
        <Menu.Divider />
        <Menu.Item component={Link} to="/logout" leftSection={<Icon name="leave" size={16} />}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function Status({ status }: { status: User['status'] }) {
  return (
    <span className={classes.status} data-status={status}>
      {STATUS_WORDS[status]}
    </span>
  );
}

function ThemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <>
      <Menu.Label>Theme</Menu.Label>
      <Menu.RadioGroup value={colorScheme} onChange={(value) => setColorScheme(value as typeof colorScheme)}>
        {SCHEMES.map(({ value, label, icon }) => (
          <Menu.RadioItem key={value} value={value} closeMenuOnClick={false}>
            <span className={classes.scheme}>
              <Icon name={icon} size={16} />
              {label}
            </span>
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  );
}
