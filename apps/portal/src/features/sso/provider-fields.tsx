import { Alert, PasswordInput, Text, TextInput, Title } from '@mantine/core';
import type { SsoConnection } from '@steward/contract/sso/connection';
import { useId } from 'react';
import sheet from '#platform/forms/save-form.module.css';
import type { SsoForm } from './connection-form.tsx';
import { CopyField } from './copy-field.tsx';
import { needsTest } from './sso.form.ts';

/** The provider, and what it and this server need to know of each other. */
export function ProviderFields({ form, stored }: { form: SsoForm; stored: SsoConnection }) {
  const title = useId();
  const plain = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;
  const isOther = stored.enabled && needsTest(form.values, stored);
  return (
    <section className={sheet.fields} aria-labelledby={title}>
      <div>
        <Title order={2} id={title} fz="1rem">
          2. Identity provider
        </Title>
        <Text c="dimmed" size="sm" mt={4}>
          {stored.id === null
            ? 'Enter the name and issuer and save. You then get the addresses that the provider asks for.'
            : 'Create an OpenID Connect application (confidential, web) at the provider with these addresses, and enter its client ID and secret.'}
        </Text>
      </div>
      <TextInput label="Name" description="As your users call it" {...plain} {...form.getInputProps('name')} />
      <TextInput
        label="Issuer"
        placeholder="https://id.example.com"
        description="The address that the provider calls its issuer, exactly as it shows it"
        {...plain}
        {...form.getInputProps('issuer')}
      />
      {stored.id !== null && (
        <>
          <CopyField
            label="Redirect URI"
            description="Also called sign-in or callback URL"
            value={stored.redirect_uri}
          />
          <CopyField
            label="Back-channel logout URI"
            description="Optional: signing out at the provider then ends sessions here"
            value={stored.logout_uri}
          />
          <TextInput label="Client ID" {...plain} {...form.getInputProps('client_id')} />
          <PasswordInput
            label="Client secret"
            description={
              stored.has_secret
                ? 'Stored encrypted. Leave it empty to keep it.'
                : 'It is stored encrypted and never shown again.'
            }
            placeholder={stored.has_secret ? '••••••••' : ''}
            autoComplete="new-password"
            visibilityToggleButtonProps={{ 'aria-label': 'Show secret', tabIndex: 0 }}
            {...form.getInputProps('client_secret')}
          />
        </>
      )}
      {isOther && (
        <Alert color="yellow" variant="light" p="xs" role="note">
          Saving this switches single sign-on off and ends its sessions, until you have tested it again.
        </Alert>
      )}
    </section>
  );
}
