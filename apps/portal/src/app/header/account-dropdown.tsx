import { Group, Menu, Stack, Text, useMantineColorScheme } from '@mantine/core';
import type { User } from '@steward/contract/users';
import { fullName } from '@steward/contract/users/names';
import { Link } from '@tanstack/react-router';
import { MenuAnchor } from '#platform/dialogs/menu-anchor.tsx';
import { Icon, type IconName } from '#platform/page/icon.tsx';
import { Presence } from './presence.tsx';

const SCHEMES = [
  { value: 'light', label: 'Light', icon: 'sun' },
  { value: 'dark', label: 'Dark', icon: 'moon' },
  { value: 'auto', label: 'System', icon: 'screen' },
] as const satisfies readonly { value: string; label: string; icon: IconName }[];

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
        <MenuAnchor label="Account" />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Stack gap={2} py={4} align="flex-start">
            <Text c="var(--mantine-color-text)" fw={500} maw="100%" style={{ overflowWrap: 'anywhere' }}>
              {fullName(user)}
            </Text>
            <Text fz={13} mb={4} maw="100%" truncate>
              {user.email}
            </Text>
            <Presence status={user.status} />
          </Stack>
        </Menu.Label>
        <Menu.Divider />
        <ThemeChoice />
        <Menu.Divider />
        <Menu.Item component={Link} to="/account" leftSection={<Icon name="people" size={16} />}>
          My account
        </Menu.Item>
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
