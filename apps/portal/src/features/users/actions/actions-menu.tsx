import { Menu, Text } from '@mantine/core';
import type { UserAction } from '@steward/contract/users';
import type { ComponentProps } from 'react';
import { MenuAnchor } from '#platform/dialogs/menu-anchor.tsx';
import { Icon } from '#platform/page/icon.tsx';
import { ACTION_ICONS, type MenuItem } from './actions.rules.ts';

/** Menus and tooltips belong in the main landmark of the page. */
const MAIN_PORTAL = { target: '#main' };

/** On a low screen, the menu takes the available height and scrolls. */
const FITTED = { flip: true, shift: true, size: true };

interface ActionsMenuProps {
  label: string;
  items: readonly MenuItem[];
  onChoose: (action: UserAction) => void;
  onClose: () => void;
}

export function ActionsMenu({ label, items, onChoose, onClose }: ActionsMenuProps) {
  return (
    <Menu
      opened
      onChange={(opened) => !opened && onClose()}
      position="bottom-end"
      offset={4}
      width={260}
      loop={false}
      middlewares={FITTED}
      withInitialFocusPlaceholder={false}
      portalProps={MAIN_PORTAL}
    >
      <Menu.Target>
        <MenuAnchor label={label} />
      </Menu.Target>
      <Menu.Dropdown style={{ overflowY: 'auto' }}>
        {items.map((item) => (
          <Item key={item.name} item={item} onChoose={() => onChoose(item.name)} />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function Item({ item, onChoose }: { item: MenuItem; onChoose: () => void }) {
  const icon = <Icon name={ACTION_ICONS[item.name]} size={16} />;
  if (item.refusal === undefined) {
    return (
      <Menu.Item leftSection={icon} onClick={onChoose}>
        {item.label}
      </Menu.Item>
    );
  }
  return (
    <Menu.Item component={RefusedItem} leftSection={icon} closeMenuOnClick={false} c="dimmed">
      {item.label}
      <Text fz={12} lh={1.35} mt={2}>
        {item.refusal}
      </Text>
    </Menu.Item>
  );
}

/** Mantine skips disabled items and thereby hides their reason; this one can be reached with the arrow keys. */
function RefusedItem(props: ComponentProps<'button'>) {
  return <button {...props} type="button" aria-disabled="true" />;
}
