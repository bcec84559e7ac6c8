import { Button, Group, Text, TextInput } from '@mantine/core';
import { useState } from 'react';

interface CopyFieldProps {
  label: string;
  description?: string;
  value: string;
}

export function CopyField({ label, description, value }: CopyFieldProps) {
  const [status, setStatus] = useState('');
  const copy = () =>
    navigator.clipboard.writeText(value).then(
      () => setStatus('Copied'),
      () => setStatus("Couldn't copy. Select the text and copy it."),
    );
  return (
    <Group align="flex-end" gap="xs">
      <TextInput
        flex={1}
        miw={200}
        label={label}
        description={description}
        readOnly
        value={value}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <Button variant="default" onClick={() => void copy()} aria-label={`Copy ${label.toLowerCase()}`}>
        Copy
      </Button>
      <Text size="sm" role="status">
        {status}
      </Text>
    </Group>
  );
}
