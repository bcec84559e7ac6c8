import { SimpleGrid, TextInput } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { BillingPage } from './billing-page.tsx';
import {
  formatCardNumberInput,
  formatExpiryInput,
  formatSecurityCodeInput,
  getExpiryError,
  SECURITY_CODE_MAX,
} from './card.form.ts';
import { FieldGroup, UnsavedForm } from './unsaved-form.tsx';

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

/** Autofill is off, so that no real card is entered here. Nothing is sent. */
function CardFields() {
  const [number, setNumber] = useState('');
  const [expiry, setExpiry] = useState('');
  const [isLeft, setLeft] = useState(false);
  const [code, setCode] = useState('');
  return (
    <>
      <TextInput
        label="Number"
        inputMode="numeric"
        autoComplete="off"
        value={number}
        onChange={({ currentTarget: { value } }) => setNumber(formatCardNumberInput(value))}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={20}>
        <TextInput
          label="Expiry"
          placeholder="MM/YY"
          inputMode="numeric"
          autoComplete="off"
          value={expiry}
          error={isLeft && getExpiryError(expiry)}
          onBlur={() => setLeft(true)}
          onChange={({ currentTarget: { value } }) => {
            setLeft(false);
            setExpiry(formatExpiryInput(value));
          }}
        />
        <TextInput
          label="Security code"
          placeholder="3 digits"
          inputMode="numeric"
          autoComplete="off"
          maxLength={SECURITY_CODE_MAX}
          value={code}
          onChange={({ currentTarget: { value } }) => setCode(formatSecurityCodeInput(value))}
        />
      </SimpleGrid>
    </>
  );
}
