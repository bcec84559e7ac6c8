import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/Menu.layer.css';
import { Menu } from '@mantine/core';
import type { ComponentProps, Ref } from 'react';
import { Icon, type IconName } from '#platform/page/icon.tsx';
import type { ActionName, UserAction } from './actions.rules.ts';
import classes from './user-actions.module.css';

const ICONS: Record<ActionName, IconName> = {
  edit: 'edit',
  resend: 'mail',
  cancel: 'close',
  sessions: 'screen',
  revoke: 'leave',
  reset: 'key',
};

/** What opens over the rows belongs to the screen's landmark. */
const MAIN_PORTAL = { target: '#main' };

interface ActionsMenuProps {
  label: string;
  actions: readonly UserAction[];
  onChoose: (action: ActionName) => void;
  onClose: () => void;
}

/** The open menu of a row, beside the button that opened it. */
export function ActionsMenu({ label, actions, onChoose, onClose }: ActionsMenuProps) {
  return (
    <Menu
      opened
      onChange={(opened) => !opened && onClose()}
      position="bottom-end"
      offset={4}
      width={260}
      loop={false}
      withInitialFocusPlaceholder={false}
      portalProps={MAIN_PORTAL}
    >
      <Menu.Target>
        <Anchor label={label} />
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map((action) => (
          <Action key={action.name} action={action} onChoose={() => onChoose(action.name)} />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Where the menu hangs, and what names it; the button keeps its own place and its focus. */
function Anchor({ label, id, ref }: { label: string; id?: string; ref?: Ref<HTMLSpanElement> }) {
  return (
    <span ref={ref} id={id} className={classes.anchor} aria-hidden="true">
      {label}
    </span>
  );
}

function Action({ action, onChoose }: { action: UserAction; onChoose: () => void }) {
  const icon = <Icon name={ICONS[action.name]} size={16} />;
  if (action.refusal === undefined) {
    return (
      <Menu.Item leftSection={icon} onClick={onChoose}>
        {action.label}
      </Menu.Item>
    );
  }
  return (
    <Menu.Item component={RefusedItem} leftSection={icon} closeMenuOnClick={false} className={classes.refused}>
      {action.label}
      <span className={classes.reason}>{action.refusal}</span>
    </Menu.Item>
  );
}

/** Refused, yet within reach of the arrow keys: a menu's own disabled items are skipped, and with them the reason. */
function RefusedItem(props: ComponentProps<'button'>) {
  return <button {...props} type="button" aria-disabled="true" />;
}
