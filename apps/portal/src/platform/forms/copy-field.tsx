import { Button, Group, Text, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { Icon } from '#platform/page/icon.tsx';

interface CopyFieldProps {
  label: string;
  description?: string;
  value: string;
  /** Shows the label above the field; otherwise only screen readers get it. */
  showsLabel?: boolean;
  /** The button gets the focus when the dialog around it opens. */
  isFirst?: boolean;
}

export function CopyField({ label, description, value, showsLabel = false, isFirst = false }: CopyFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const [status, setStatus] = useState('');
  const copy = async () => {
    field.current?.select();
    setStatus((await copyText(value)) ? 'Copied' : toBlocked(label));
  };
  return (
    <>
      <Group gap="xs" align="end">
        <TextInput
          ref={field}
          flex="1 1 240px"
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.8125rem' } }}
          {...(showsLabel ? { label } : { 'aria-label': label })}
          description={description}
          readOnly
          value={value}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <Button
          data-autofocus={isFirst || undefined}
          variant="default"
          leftSection={<Icon name={status === 'Copied' ? 'check' : 'copy'} size={16} />}
          aria-label={showsLabel ? `Copy ${label}` : undefined}
          onClick={() => void copy()}
        >
          Copy
        </Button>
      </Group>
      <Text role="status" c="dimmed" size="xs" mt="xs" mih="1.25rem">
        {status}
      </Text>
    </>
  );
}

const toBlocked = (label: string) =>
  `Your browser blocked copying. The ${label.charAt(0).toLowerCase()}${label.slice(1)} is selected: copy it with the keyboard or menu.`;

/** Browsers refuse to copy on plain HTTP, and without the user's permission. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
