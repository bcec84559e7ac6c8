import { ActionIcon, Menu } from '@mantine/core';
import { FolderOpen, Scissors } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { Icon } from '#platform/page/icon.tsx';

const ITEMS: readonly { label: string; icon: ReactNode }[] = [
  { label: 'Open', icon: <FolderOpen size={16} strokeWidth={1.75} aria-hidden="true" /> },
  { label: 'Cut', icon: <Scissors size={16} strokeWidth={1.75} aria-hidden="true" /> },
  { label: 'Copy', icon: <Icon name="copy" size={16} /> },
  { label: 'Rename', icon: <Icon name="edit" size={16} /> },
  { label: 'Delete', icon: <Icon name="trash" size={16} /> },
];

/** The menu belongs to the main landmark of the screen. */
const MAIN_PORTAL = { target: '#main' };

/** The menu of a sample file: its items can be focused and say that they aren't available. */
export function FileMenu({ name }: { name: string }) {
  const reasonId = useId();
  return (
    <Menu position="bottom-end" offset={4} width={220} withInitialFocusPlaceholder={false} portalProps={MAIN_PORTAL}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={36} aria-label={`Actions for ${name}`}>
          <Icon name="dots" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label id={reasonId}>Not available in preview</Menu.Label>
        {ITEMS.map(({ label, icon }) => (
          <Menu.Item
            key={label}
            component={IdleItem}
            aria-describedby={reasonId}
            leftSection={icon}
            closeMenuOnClick={false}
            c="dimmed"
            style={{ cursor: 'default' }}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Reachable with the arrow keys; Mantine's disabled items are skipped. */
function IdleItem(props: ComponentProps<'button'>) {
  return <button {...props} type="button" aria-disabled="true" />;
}
