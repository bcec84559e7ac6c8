import { Text, UnstyledButton } from '@mantine/core';
import { useRef } from 'react';
import { Icon } from '#platform/page/icon.tsx';
import classes from './file-drop.module.css';

interface FileDropProps {
  /** The text of the button, such as “Choose a CSV file”. */
  label: string;
  hint: string;
  /** File types that the system's dialog offers, as in the attribute `accept`. */
  accept: string;
  onFiles: (files: readonly File[]) => void;
}

/** A large button that opens the system's file dialog. `PageDrop` handles dropped files. */
export function FileDrop({ label, hint, accept, onFiles }: FileDropProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <UnstyledButton className={classes.zone ?? ''} w="100%" px="md" py={28} onClick={() => input.current?.click()}>
        <Text span display="block" c="var(--mantine-color-anchor)" lh={1} mb={8}>
          <Icon name="upload" size={22} />
        </Text>
        <Text span display="block" fw={600}>
          {label}
        </Text>
        <Text span display="block" c="dimmed" fz="0.8125rem">
          {hint}
        </Text>
      </UnstyledButton>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          // Without this, choosing the same file again would not fire a change event.
          currentTarget.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
    </>
  );
}
