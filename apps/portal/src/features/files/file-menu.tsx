import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/Menu.layer.css';
import { Menu } from '@mantine/core';
import { FolderOpen, Scissors } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { Icon } from '#platform/page/icon.tsx';
import classes from './files.module.css';

const ITEMS: readonly { label: string; icon: ReactNode }[] = [
  { label: 'Open', icon: <FolderOpen size={16} strokeWidth={1.75} aria-hidden="true" /> },
  { label: 'Cut', icon: <Scissors size={16} strokeWidth={1.75} aria-hidden="true" /> },
  { label: 'Copy', icon: <Icon name="copy" size={16} /> },
  { label: 'Rename', icon: <Icon name="edit" size={16} /> },
  { label: 'Delete', icon: <Icon name="trash" size={16} /> },
];

/** What opens over the rows belongs to the screen's landmark. */
const MAIN_PORTAL = { target: '#main' };

/** The menu of a file: its items can be reached and looked at, and say that there is nothing behind them. */
export function FileMenu({ name }: { name: string }) {
  const reasonId = useId();
  return (
    <Menu position="bottom-end" offset={4} width={220} withInitialFocusPlaceholder={false} portalProps={MAIN_PORTAL}>
      <Menu.Target>
        <button type="button" className={classes.button} aria-label={`Actions for ${name}`}>
          <Icon name="dots" />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label id={reasonId}>An example: these do nothing.</Menu.Label>
        {ITEMS.map(({ label, icon }) => (
          <Menu.Item
            key={label}
            component={IdleItem}
            aria-describedby={reasonId}
            leftSection={icon}
            closeMenuOnClick={false}
            className={classes.idle ?? ''}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Within reach of the arrow keys: a menu's own disabled items are skipped. */
function IdleItem(props: ComponentProps<'button'>) {
  return <button {...props} type="button" aria-disabled="true" />;
}
