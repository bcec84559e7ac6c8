import { Drawer, Group } from '@mantine/core';
import { useOpenAfterMount } from '#platform/dialogs/open-state.ts';
import { Sidebar } from './sidebar.tsx';

export function SidebarDrawer({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Drawer.Root
      opened={useOpenAfterMount(opened)}
      onClose={onClose}
      size={288}
      padding={0}
      transitionProps={{ duration: 120 }}
    >
      <Drawer.Overlay backgroundOpacity={0.45} />
      <Drawer.Content bg="var(--surface-raised)">
        <Drawer.Body display="flex" h="100%" p={0} style={{ flexDirection: 'column' }}>
          <Group justify="space-between" h="var(--header-height)" pl={22} pr={6} style={{ flexShrink: 0 }}>
            <Drawer.Title fz="lg" fw={600}>
              Menu
            </Drawer.Title>
            <Drawer.CloseButton aria-label="Close menu" size={44} />
          </Group>
          <Sidebar onNavigate={onClose} />
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
