import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Radio.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import { PasswordInput, Radio, Switch, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { CREDENTIAL_MAX, EMAIL_MAX } from '@steward/contract/api/limits';
import classes from './credential-fields.module.css';
import type { CredentialValues } from './credentials.form.ts';
import { applyEnteredDomain, normalizeDomain } from './zendesk-domain.ts';

const ABOUT_TOKENS = 'https://support.zendesk.com/hc/en-us/articles/4408889192858';
const ABOUT_CLIENTS = 'https://developer.zendesk.com/documentation/api-basics/authentication/oauth-migration/';
const SUFFIX = '.zendesk.com';

/** What no field of a login should do with what is typed; browsers keep none of it. */
const PLAIN = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false, required: true };

interface CredentialFieldsProps {
  form: Pick<UseFormReturnType<CredentialValues>, 'values' | 'setFieldValue' | 'getInputProps'>;
}

/** How we sign in at Zendesk (spec §2, credential form and credential modal). */
export function CredentialFields({ form }: CredentialFieldsProps) {
  return (
    <>
      <DomainField form={form} />
      <Radio.Group label="Sign in with" {...form.getInputProps('by')}>
        <div className={classes.ways}>
          <Radio value="user" label="API token or password" description="Of an administrator." />
          <Radio
            value="client"
            label="OAuth client"
            description="Recommended. Not affected when Zendesk retires API tokens."
          />
        </div>
      </Radio.Group>
      {form.values.by === 'user' ? <UserFields form={form} /> : <ClientFields form={form} />}
    </>
  );
}

function DomainField({ form }: CredentialFieldsProps) {
  const field = form.getInputProps('domain');
  const enter = (domain: string) => {
    // Entering the same again would take the error away, and move what is being pressed.
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
      rightSection={<span className={classes.suffix}>{SUFFIX}</span>}
      rightSectionWidth={114}
      rightSectionPointerEvents="none"
      onChange={({ currentTarget }) => enter(applyEnteredDomain(form.values.domain, currentTarget.value))}
      onBlur={() => enter(normalizeDomain(form.values.domain))}
    />
  );
}

function UserFields({ form }: CredentialFieldsProps) {
  const { is_token } = form.values;
  return (
    <>
      {/* Not of type email: browsers rewrite what is typed there, and the checking here says more. */}
      <TextInput {...PLAIN} label="Email" inputMode="email" maxLength={EMAIL_MAX} {...form.getInputProps('username')} />
      <div className={classes.kind}>
        <Switch
          size="md"
          label="Token authentication"
          onLabel="Enable"
          offLabel="Disable"
          classNames={{ track: classes.track ?? '', trackLabel: classes.trackLabel ?? '' }}
          {...form.getInputProps('is_token', { type: 'checkbox' })}
        />
        <About address={ABOUT_TOKENS}>About token authentication</About>
      </div>
      {is_token ? <TokenField form={form} /> : <PasswordField form={form} />}
    </>
  );
}

function TokenField({ form }: CredentialFieldsProps) {
  return (
    <Textarea
      {...PLAIN}
      label="API Token"
      description="Zendesk stopped issuing API tokens on October 27, 2026. Existing tokens stop working on April 30, 2027."
      rows={2}
      maxLength={CREDENTIAL_MAX}
      classNames={{ input: classes.token ?? '' }}
      {...form.getInputProps('token')}
    />
  );
}

function PasswordField({ form }: CredentialFieldsProps) {
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

function ClientFields({ form }: CredentialFieldsProps) {
  return (
    <>
      <p className={classes.note}>
        Create a client in Zendesk Admin Center › Apps and integrations › APIs › OAuth clients.{' '}
        <About address={ABOUT_CLIENTS}>About OAuth clients</About>
      </p>
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
    <a className={classes.about} href={address} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}
