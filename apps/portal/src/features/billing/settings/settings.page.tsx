import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { RECORD_TEXT_MAX, TEAM_NAME_MAX } from '@steward/contract/api/limits';
import { createFileRoute } from '@tanstack/react-router';
import { useMemo } from 'react';
import { Icon } from '#platform/page/icon.tsx';
import { BillingPage } from '../billing-page.tsx';
import { BillingEmails } from './billing-emails.tsx';
import { countries } from './countries.ts';
import { FieldGroup, UnsavedForm } from './unsaved-form.tsx';

export const Route = createFileRoute('/_protected/_shell/dashboard/billing/settings')({ component: SettingsPage });

/** Longest line of an address. */
const LINE_MAX = 200;

function SettingsPage() {
  const choices = useMemo(() => [{ value: '', label: 'Choose a country' }, ...countries()], []);
  return (
    <BillingPage title="Settings" lead="What stands on the invoices, and where they go.">
      <UnsavedForm label="Billing settings">
        <FieldGroup title="Company">
          <NativeSelect
            label="Country"
            data={choices}
            rightSection={<Icon name="chevron" size={16} />}
            rightSectionPointerEvents="none"
          />
          <TextInput label="Company name" autoComplete="off" maxLength={TEAM_NAME_MAX} />
          <BillingEmails />
        </FieldGroup>
        <FieldGroup title="Address">
          <TextInput label="Street" autoComplete="off" maxLength={LINE_MAX} />
          <TextInput label="Suite" autoComplete="off" maxLength={LINE_MAX} />
          <TextInput label="City" autoComplete="off" maxLength={LINE_MAX} />
          <TextInput label="State" autoComplete="off" maxLength={LINE_MAX} />
          <TextInput label="Postal code" autoComplete="off" maxLength={20} />
        </FieldGroup>
        <FieldGroup title="Note">
          <Textarea
            label="Additional note"
            description="Stands on every invoice, such as a tax number or an order number."
            autoComplete="off"
            rows={3}
            maxLength={RECORD_TEXT_MAX}
          />
        </FieldGroup>
      </UnsavedForm>
    </BillingPage>
  );
}
