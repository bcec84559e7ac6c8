import { Input } from '@mantine/core';
import { Period } from '@steward/contract/retention/fields';
import { useId } from 'react';
import { PickOne } from '#platform/forms/pick-one.tsx';
import { PERIOD_WORDS } from '../retention-text.ts';
import type { Setting } from './groups.ts';
import type { RuleValues } from './retention.form.ts';
import classes from './rule-fields.module.css';

interface DurationFieldProps {
  setting: Setting;
  values: RuleValues;
  fault: string | undefined;
  /** From which moment on it counts. */
  hint: string;
  onEdit: (part: Partial<RuleValues>) => void;
}

/** Sends the keyboard to a count that something is wrong with. */
export function focusCount(setting: Setting): void {
  document.querySelector<HTMLInputElement>(`#${durationId(setting)} input`)?.focus();
}

function durationId({ kind }: Setting): string {
  return `duration-of-${kind}`;
}

const PERIODS = Period.options.map((value) => ({ value, label: PERIOD_WORDS[value] }));

/** A count and a period. The count is a text: a field of type number hides from us what was typed wrong. */
export function DurationField({ setting, values, fault, hint, onEdit }: DurationFieldProps) {
  const id = useId();
  const told = fault === undefined ? `${id}-hint` : `${id}-fault ${id}-hint`;
  return (
    <fieldset
      id={durationId(setting)}
      className={classes.duration}
      aria-label={`Duration for ${setting.title.toLowerCase()}`}
    >
      <div className={classes.row}>
        <Input
          // It would point to a description of its own, in place of the one below.
          withAria={false}
          className={classes.count ?? ''}
          aria-label="Count"
          inputMode="numeric"
          autoComplete="off"
          required
          maxLength={40}
          value={values.count}
          error={fault !== undefined}
          aria-invalid={fault !== undefined}
          aria-describedby={told}
          onChange={({ currentTarget: { value } }) => onEdit({ count: value })}
        />
        <PickOne
          label="Period"
          className={classes.period}
          options={PERIODS}
          value={values.period}
          onPick={(period) => onEdit({ period })}
        />
      </div>
      {fault !== undefined && (
        <p id={`${id}-fault`} className={classes.fault} role="alert">
          {fault}
        </p>
      )}
      <p id={`${id}-hint`} className={classes.hint}>
        {hint}
      </p>
    </fieldset>
  );
}
