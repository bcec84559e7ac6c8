import { Button, Fieldset, Paper, Stack } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import sheet from '#platform/forms/save-form.module.css';

interface UnsavedFormProps {
  label: string;
  children: ReactNode;
}

/** This form can't be saved: its Save button is disabled and says why. */
export function UnsavedForm({ label, children }: UnsavedFormProps) {
  const reasonId = useId();
  return (
    <form
      noValidate
      className={sheet.form}
      aria-label={label}
      autoComplete="off"
      onSubmit={(event) => event.preventDefault()}
    >
      {children}
      <div className={sheet.foot}>
        <Button type="submit" aria-disabled data-disabled aria-describedby={reasonId}>
          Save
        </Button>
        <span id={reasonId} className={sheet.note}>
          Billing isn’t connected, so nothing can be saved.
        </span>
      </div>
    </form>
  );
}

interface FieldGroupProps {
  title: string;
  children: ReactNode;
}

export function FieldGroup({ title, children }: FieldGroupProps) {
  return (
    <Paper withBorder bg="var(--surface-raised)" p={{ base: 'md', sm: 20 }}>
      <Fieldset variant="unstyled" legend={title} styles={{ legend: { marginBottom: 12, fontWeight: 600 } }}>
        <Stack gap={20}>{children}</Stack>
      </Fieldset>
    </Paper>
  );
}
