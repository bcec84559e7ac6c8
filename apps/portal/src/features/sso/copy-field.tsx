import { Button, Group, TextInput } from '@mantine/core';
import { showAlert } from '#platform/feedback/alerts.tsx';
import { Icon } from '#platform/page/icon.tsx';

interface CopyFieldProps {
  label: string;
  description?: string;
  value: string;
}

export function CopyField({ label, description, value }: CopyFieldProps) {
  const copy = () =>
    navigator.clipboard.writeText(value).then(
      () => showAlert({ kind: 'success', text: `${label} copied` }),
      () => showAlert({ kind: 'error', text: 'Your browser blocked copying. Select the text and copy it.' }),
    );
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <TextInput
        flex="1 1 auto"
        miw={0}
        label={label}
        description={description}
        readOnly
        value={value}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.8125rem' } }}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <Button
        variant="default"
        flex="none"
        aria-label={`Copy ${label}`}
        leftSection={<Icon name="copy" size={16} />}
        onClick={() => void copy()}
      >
        Copy
      </Button>
    </Group>
  );
}
