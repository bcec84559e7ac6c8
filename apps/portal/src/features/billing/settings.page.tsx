import { ActionIcon, Group, Input, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core';
import { EMAIL_MAX, RECORD_TEXT_MAX, TEAM_NAME_MAX } from '@steward/contract/api/limits';
import { createFileRoute } from '@tanstack/react-router';
import { useId, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { RowButton } from '#platform/forms/row-button.tsx';
import { Icon } from '#platform/page/icon.tsx';
import { BillingPage } from './billing-page.tsx';
import { FieldGroup, UnsavedForm } from './unsaved-form.tsx';

export const Route = createFileRoute('/_protected/_shell/dashboard/billing/settings')({ component: SettingsPage });

const LINE_MAX = 200;

function SettingsPage() {
  const choices = useMemo(() => [{ value: '', label: 'Choose a country' }, ...countries()], []);
  return (
    <BillingPage title="Settings" lead="Your company details and where invoices are sent.">
      <UnsavedForm label="Billing settings">
        <FieldGroup title="Company">
          <NativeSelect label="Country" data={choices} />
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

/** Codes are from ISO 3166-1 alpha-2. */
const CODES =
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ ' +
  'CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO ' +
  'FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE ' +
  'JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO ' +
  'MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW ' +
  'PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM ' +
  'TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW';

function countries(): { value: string; label: string }[] {
  const names = new Intl.DisplayNames('en', { type: 'region' });
  return CODES.split(' ')
    .map((value) => ({ value, label: names.of(value) ?? value }))
    .sort((one, other) => one.label.localeCompare(other.label, 'en'));
}

function BillingEmails() {
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
      <RowButton style={{ alignSelf: 'flex-start' }} icon="plus" onClick={() => show([...rows, ''], rows.length)}>
        Add another email
      </RowButton>
    </Stack>
  );
}
