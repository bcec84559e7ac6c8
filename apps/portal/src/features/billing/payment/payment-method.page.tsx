import { TextInput } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { BillingPage } from '../billing-page.tsx';
import { FieldGroup, UnsavedForm } from '../settings/unsaved-form.tsx';
import { CardFields } from './card-fields.tsx';

export const Route = createFileRoute('/_protected/_shell/dashboard/billing/payment_method')({
  component: PaymentMethodPage,
});

function PaymentMethodPage() {
  return (
    <BillingPage title="Payment Method" lead="The card that pays the monthly invoice.">
      <UnsavedForm label="Payment method">
        <FieldGroup title="Card">
          <TextInput label="Name" description="As it appears on the card." autoComplete="off" maxLength={100} />
          <CardFields />
          <TextInput
            label="ZIP"
            description="ZIP code of the card’s billing address."
            autoComplete="off"
            maxLength={20}
          />
        </FieldGroup>
      </UnsavedForm>
    </BillingPage>
  );
}
