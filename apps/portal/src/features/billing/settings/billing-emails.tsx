import { ActionIcon, Button, TextInput } from '@mantine/core';
import { EMAIL_MAX } from '@steward/contract/api/limits';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Icon } from '#platform/page/icon.tsx';
import classes from './settings.module.css';

/** Any number of email addresses, one per line. */
export function BillingEmails() {
  const list = useRef<HTMLFieldSetElement>(null);
  const [rows, setRows] = useState(['']);
  const show = (now: readonly string[], focused: number) => {
    flushSync(() => setRows([...now]));
    const fields = list.current?.querySelectorAll('input');
    fields?.[Math.min(focused, fields.length - 1)]?.focus();
  };
  return (
    <fieldset ref={list} className={classes.emails}>
      <legend className={classes.label}>Billing emails</legend>
      <p className={classes.hint}>We’ll send invoices to each of these addresses.</p>
      {rows.map((text, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is identified by its position
        <div key={at} className={classes.email}>
          <TextInput
            className={classes.grow ?? ''}
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
        </div>
      ))}
      <Button
        className={classes.add ?? ''}
        size="compact-sm"
        variant="default"
        leftSection={<Icon name="plus" size={14} />}
        onClick={() => show([...rows, ''], rows.length)}
      >
        Add another email
      </Button>
    </fieldset>
  );
}
