import '@mantine/core/styles/Stack.layer.css';
import '@mantine/core/styles/Group.layer.css';
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';

interface CopyFieldProps {
  label: string;
  description?: string;
  value: string;
}

/** A value that an admin enters elsewhere. */
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

/** What an admin enters at the service, right after the secret was made. */
export function GeneratedSecret({ url, secret, header }: { url: string; secret: string; header: string }) {
  return (
    <Stack gap="md">
      <Text size="sm">Enter both at the service. The secret is shown only once.</Text>
      <CopyField label="Address" value={url} />
      <CopyField
        label="Secret"
        value={secret}
        description={header === '' ? 'Sent as Authorization: Bearer …' : `Signs each request in ${header}`}
      />
    </Stack>
  );
}
