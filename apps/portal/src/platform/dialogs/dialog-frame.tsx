import { Modal } from '@mantine/core';
import classes from './dialog.module.css';
import type { DialogProps } from './dialog.tsx';
import { useOpenAfterMount } from './open-state.ts';

/** Loaded with the first dialog. */
export function DialogFrame(props: DialogProps) {
  const { opened, onClose, title, closable = true, width = 440, returnFocus = true, children } = props;
  return (
    <Modal.Root
      opened={useOpenAfterMount(opened)}
      onClose={onClose}
      closeOnEscape={closable}
      closeOnClickOutside={closable}
      returnFocus={returnFocus}
      centered
      size={width}
      // A wide dialog needs the whole width of a phone.
      {...(width > 600 && { xOffset: 'min(5vw, 8px)' })}
      radius="lg"
      padding={0}
      transitionProps={{ transition: 'fade', duration: 100 }}
    >
      <Modal.Overlay backgroundOpacity={0.45} />
      <Modal.Content classNames={{ content: classes.content ?? '' }}>
        <Modal.Body p={24} pos="relative">
          <Modal.Title mb={12} fz="lg" fw={600} lh={1.4}>
            {title}
          </Modal.Title>
          {children}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
