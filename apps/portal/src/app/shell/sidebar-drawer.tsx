import '@mantine/core/styles/Paper.layer.css';
import '@mantine/core/styles/Overlay.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Drawer.layer.css';
import { Drawer } from '@mantine/core';
import { useOpenAfterMount } from '#platform/dialogs/open-after-mount.ts';
import classes from './sidebar.module.css';
import { Sidebar } from './sidebar.tsx';

/** The sidebar of a narrow screen. */
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
      <Drawer.Content className={classes.drawer ?? ''}>
        <Drawer.Body p={0}>
          <div className={classes.drawerHead}>
            <Drawer.Title className={classes.drawerTitle ?? ''}>Menu</Drawer.Title>
            <Drawer.CloseButton aria-label="Close menu" size={36} />
          </div>
          <Sidebar onNavigate={onClose} />
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
