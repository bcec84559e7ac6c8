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

/** Maximum length of an address line. */
const LINE_MAX = 200;

function SettingsPage() {
  const choices = useMemo(() => [{ value: '', label: 'Choose a country' }, ...countries()], []);
  return (
    <BillingPage title="Settings" lead="Your company details and where invoices are sent.">
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
            description="Appears on every invoice, for example a tax ID or PO number."
            autoComplete="off"
            rows={3}
            maxLength={RECORD_TEXT_MAX}
          />
        </FieldGroup>
      </UnsavedForm>
    </BillingPage>
  );
}
