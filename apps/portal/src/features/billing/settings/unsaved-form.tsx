import '@mantine/core/styles/Paper.layer.css';
import { Button, Paper } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import sheet from '#platform/forms/save-form.module.css';
import classes from './unsaved-form.module.css';

interface UnsavedFormProps {
  /** Accessible name. */
  label: string;
  children: ReactNode;
}

/** A form that can't be saved: the Save button is disabled and says why. */
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
      <Paper withBorder bg="var(--surface-raised)">
        {children}
      </Paper>
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

/** A titled group of fields. */
export function FieldGroup({ title, children }: FieldGroupProps) {
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>{title}</legend>
      {children}
    </fieldset>
  );
}
