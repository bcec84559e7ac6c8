import { Switch, Title } from '@mantine/core';
import type { SsoConnection } from '@steward/contract/sso/connection';
import { useId } from 'react';
import sheet from '#platform/forms/save-form.module.css';
import type { SsoForm } from './connection-form.tsx';
import { needsTest } from './sso.form.ts';

/** Whether single sign-on is on, and whether it is the only way. */
export function SwitchFields({ form, stored }: { form: SsoForm; stored: SsoConnection }) {
  const title = useId();
  const isTested = stored.tested_at !== null && !needsTest(form.values, stored);
  const { enabled, required } = form.values;
  return (
    <section className={sheet.fields} aria-labelledby={title}>
      <Title order={2} id={title} fz="1rem">
        5. Switch on
      </Title>
      <Switch
        label="Users can sign in by single sign-on"
        description={describeEnabled({ isTested, wasOn: stored.enabled, isOn: enabled })}
        disabled={!isTested && !enabled}
        {...form.getInputProps('enabled', { type: 'checkbox' })}
      />
      <Switch
        label="Require single sign-on"
        description={describeRequired(stored.has_break_glass)}
        disabled={!required && (!enabled || !isTested || !stored.has_break_glass)}
        {...form.getInputProps('required', { type: 'checkbox' })}
      />
    </section>
  );
}

function describeEnabled({ isTested, wasOn, isOn }: { isTested: boolean; wasOn: boolean; isOn: boolean }): string {
  if (!isTested) return 'Complete a test sign-in with the saved settings first.';
  if (wasOn && !isOn) return 'When you save, everyone who signed in that way is signed out, also you.';
  return 'Passwords keep working beside it.';
}

function describeRequired(hasBreakGlass: boolean): string {
  return hasBreakGlass
    ? 'The team then opens only by single sign-on. Owners with a second factor can still use their password if the provider is down; all owners are emailed about it.'
    : 'An owner has to set up a second factor under My account first, so that the team stays open when the provider is down.';
}
