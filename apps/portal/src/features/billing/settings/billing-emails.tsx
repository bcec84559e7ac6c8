import { ActionIcon, Button, Group, Input, Stack, TextInput } from '@mantine/core';
import { EMAIL_MAX } from '@steward/contract/api/limits';
import { useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Icon } from '#platform/page/icon.tsx';

/** Any number of email addresses, one per line. */
export function BillingEmails() {
  const list = useRef<HTMLDivElement>(null);
  const labelId = useId();
  const [rows, setRows] = useState(['']);
  const show = (now: readonly string[], focused: number) => {
    flushSync(() => setRows([...now]));
    const fields = list.current?.querySelectorAll('input');
    fields?.[Math.min(focused, fields.length - 1)]?.focus();
  };
  return (
    <Stack ref={list} role="group" aria-labelledby={labelId} gap="xs">
      <Input.Label id={labelId} labelElement="div">
        Billing emails
      </Input.Label>
      <Input.Description mt={-8}>We’ll send invoices to each of these addresses.</Input.Description>
      {rows.map((text, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is identified by its position
        <Group key={at} gap={4} wrap="nowrap">
          <TextInput
            flex={1}
            aria-label={`Billing email ${at + 1}`}
            placeholder="name@example.com"
            inputMode="email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={EMAIL_MAX}
            value={text}
            onChange={({ currentTarget }) => setRows(rows.with(at, currentTarget.value))}
          />
          {rows.length > 1 && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              aria-label={`Remove billing email ${at + 1}`}
              onClick={() => show(rows.toSpliced(at, 1), at)}
            >
              <Icon name="close" size={16} />
            </ActionIcon>
          )}
        </Group>
      ))}
      <Button
        style={{ alignSelf: 'flex-start' }}
        size="compact-sm"
        variant="default"
        leftSection={<Icon name="plus" size={14} />}
        onClick={() => show([...rows, ''], rows.length)}
      >
        Add another email
      </Button>
    </Stack>
  );
}
