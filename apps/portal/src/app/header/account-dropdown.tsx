import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/Menu.layer.css';
import { Group, Menu, useMantineColorScheme } from '@mantine/core';
import type { User } from '@steward/contract/users';
import { Link } from '@tanstack/react-router';
import { Icon, type IconName } from '#platform/page/icon.tsx';
import { fullName } from '#workspace/people/initials.ts';
import classes from './account-menu.module.css';
import { Presence } from './presence.tsx';

const SCHEMES = [
  { value: 'light', label: 'Light', icon: 'sun' },
  { value: 'dark', label: 'Dark', icon: 'moon' },
  { value: 'auto', label: 'System', icon: 'screen' },
] as const satisfies readonly { value: string; label: string; icon: IconName }[];

/** The open menu of the account: who is signed in, the theme, and the way out. */
export function AccountDropdown({ user, onClose }: { user: User; onClose: () => void }) {
  return (
    <Menu
      opened
      onChange={(opened) => !opened && onClose()}
      position="bottom-end"
      width={272}
      offset={6}
      withinPortal={false}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <span className={classes.anchor} aria-hidden="true">
          Account
        </span>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label className={classes.who}>
          <span className={classes.whoName}>{fullName(user)}</span>
          <span className={classes.email}>{user.email}</span>
          <Presence status={user.status} />
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

function ThemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <>
      <Menu.Label>Theme</Menu.Label>
      <Menu.RadioGroup value={colorScheme} onChange={(value) => setColorScheme(value as typeof colorScheme)}>
        {SCHEMES.map(({ value, label, icon }) => (
          <Menu.RadioItem key={value} value={value} closeMenuOnClick={false}>
            <Group component="span" gap={8}>
              <Icon name={icon} size={16} />
              {label}
            </Group>
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  );
}
