import { Button, Group, Kbd, Table } from '@mantine/core';
import { Fragment } from 'react';
import { Dialog } from '#platform/dialogs/dialog.tsx';
import { hasCommandKey } from '../header/shortcut.ts';

const SHORTCUTS: readonly (readonly [keys: readonly string[], effect: string])[] = [
  [['Mod', 'K'], 'Search screens, users and actions'],
  [['/'], 'Search the list on this screen'],
  [['↑', '↓'], 'Move through results and menus'],
  [['Enter'], 'Choose, or save the form'],
  [['Esc'], 'Close a dialog or menu, clear a search'],
  [['?'], 'Show these shortcuts'],
];

export function ShortcutsDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const modifier = hasCommandKey(navigator.platform) ? '⌘' : 'Ctrl';
  return (
    <Dialog opened={opened} onClose={onClose} title="Keyboard shortcuts" width={440}>
      <Table>
        <Table.Tbody>
          {SHORTCUTS.map(([keys, effect]) => (
            <Table.Tr key={effect}>
              <Table.Td>{effect}</Table.Td>
              <Table.Td ta="right" style={{ whiteSpace: 'nowrap' }}>
                {keys.map((key, at) => (
                  <Fragment key={key}>
                    {at > 0 && ' '}
                    <Kbd>{key === 'Mod' ? modifier : key}</Kbd>
                  </Fragment>
                ))}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Group justify="flex-end" mt="md">
        <Button variant="default" data-autofocus onClick={onClose}>
          Close
        </Button>
      </Group>
    </Dialog>
  );
}
