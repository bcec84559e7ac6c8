import { Anchor, Group, PasswordInput, Radio, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { CREDENTIAL_MAX, EMAIL_MAX } from '@steward/contract/api/limits';
import type { CredentialFieldsProps } from '../sign-in-form.tsx';
import { applyEnteredDomain, type CredentialValues, normalizeDomain } from './credentials.form.ts';

const ABOUT_TOKENS = 'https://support.zendesk.com/hc/en-us/articles/4408889192858';
const ABOUT_CLIENTS = 'https://developer.zendesk.com/documentation/api-basics/authentication/oauth-migration/';
const SUFFIX = '.zendesk.com';

/** With these attributes, browsers neither store nor rewrite the input. */
const PLAIN = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false, required: true };

type FieldsProps = CredentialFieldsProps<CredentialValues>;

export function CredentialFields({ form }: FieldsProps) {
  return (
    <>
      <DomainField form={form} />
      <Radio.Group label="Sign in with" {...form.getInputProps('by')}>
        <Stack gap="sm" mt="xs">
          <Radio value="client" label="OAuth client" description="Recommended. Continues to work after April 2027." />
          <Radio
            value="user"
            label="API token or password"
            description="Only for existing accounts. Zendesk has retired passwords for most accounts and ends API tokens on April 30, 2027."
          />
        </Stack>
      </Radio.Group>
      {form.values.by === 'user' ? <UserFields form={form} /> : <ClientFields form={form} />}
    </>
  );
}

function DomainField({ form }: FieldsProps) {
  const field = form.getInputProps('domain');
  const enter = (domain: string) => {
    // Setting the same value would clear the error and move the button being pressed.
    if (domain !== form.values.domain) form.setFieldValue('domain', domain);
  };
  return (
    <TextInput
      {...PLAIN}
      {...field}
      label="Domain"
      description="As in your Zendesk address: acme in acme.zendesk.com."
      data-autofocus
      maxLength={300}
      rightSection={
        <Text span c="dimmed" size="sm">
          {SUFFIX}
        </Text>
      }
      rightSectionWidth={114}
      rightSectionPointerEvents="none"
      onChange={({ currentTarget }) => enter(applyEnteredDomain(form.values.domain, currentTarget.value))}
      onBlur={() => enter(normalizeDomain(form.values.domain))}
    />
  );
}

function UserFields({ form }: FieldsProps) {
  const { is_token } = form.values;
  return (
    <>
      {/* The field isn't of type email: browsers rewrite such input, and our messages are more precise. */}
      <TextInput {...PLAIN} label="Email" inputMode="email" maxLength={EMAIL_MAX} {...form.getInputProps('username')} />
      <Group justify="space-between" gap="8px 16px">
        <Switch
          size="md"
          label="Token authentication"
          onLabel="Enable"
          offLabel="Disable"
          // The default labels are too small, and too pale when the switch is off.
          styles={{
            track: { fontSize: '0.6875rem' },
            trackLabel: { paddingInline: 4, ...(!is_token && { color: 'var(--mantine-color-dimmed)' }) },
          }}
          {...form.getInputProps('is_token', { type: 'checkbox' })}
        />
        <About address={ABOUT_TOKENS}>About token authentication</About>
      </Group>
      {is_token ? <TokenField form={form} /> : <PasswordField form={form} />}
    </>
  );
}

function TokenField({ form }: FieldsProps) {
  return (
    <Textarea
      {...PLAIN}
      label="API Token"
      description="Zendesk stopped issuing API tokens on October 27, 2026. Existing tokens stop working on April 30, 2027."
      rows={2}
      maxLength={CREDENTIAL_MAX}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.8125rem' } }}
      {...form.getInputProps('token')}
    />
  );
}

function PasswordField({ form }: FieldsProps) {
  return (
    <PasswordInput
      {...PLAIN}
      label="Password"
      description="Zendesk retired password sign-in in January 2026 for most accounts. Use an OAuth client instead."
      maxLength={CREDENTIAL_MAX}
      visibilityToggleButtonProps={{ 'aria-label': 'Show password', tabIndex: 0 }}
      {...form.getInputProps('password')}
    />
  );
}

function ClientFields({ form }: FieldsProps) {
  return (
    <>
      <Text c="dimmed" size="xs">
        Create a client in Zendesk Admin Center › Apps and integrations › APIs › OAuth clients.{' '}
        <About address={ABOUT_CLIENTS}>About OAuth clients</About>
      </Text>
      <TextInput {...PLAIN} label="Client ID" maxLength={CREDENTIAL_MAX} {...form.getInputProps('client_id')} />
      <PasswordInput
        {...PLAIN}
        label="Client Secret"
        maxLength={CREDENTIAL_MAX}
        visibilityToggleButtonProps={{ 'aria-label': 'Show client secret', tabIndex: 0 }}
        {...form.getInputProps('client_secret')}
      />
    </>
  );
}

function About({ address, children }: { address: string; children: string }) {
  return (
    <Anchor href={address} target="_blank" rel="noopener noreferrer" size="xs" py={3} td="underline">
      {children}
    </Anchor>
  );
}
