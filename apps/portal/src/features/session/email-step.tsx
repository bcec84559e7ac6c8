import { Button, TextInput } from '@mantine/core';
import { getLoginOptions } from '@steward/contract/session/login-options';
import { type FormEvent, useState } from 'react';
import { call } from '#platform/api/api.ts';
import { getFailureMessage } from '#platform/api/failure.ts';
import classes from '#workspace/page/card.module.css';
import { FormError } from '#workspace/page/card.tsx';
import { destination } from './destination.ts';

interface EmailStepProps {
  /** Where a sign-in leads. */
  from: string | undefined;
  /** The password comes next, for this address if it is known already. */
  onPassword: (email: string) => void;
}

/** Where some team signs in by single sign-on, the address comes first: it decides how to go on. */
export function EmailStep({ from, onPassword }: EmailStepProps) {
  const [email, setEmail] = useState('');
  const [error, setError] = useState<string>();
  const [isSending, setSending] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setError(undefined);
    setSending(true);
    try {
      const { next, sso_url } = await call(getLoginOptions, { body: { login_id: email } });
      if (next === 'password' || sso_url === undefined) onPassword(email);
      else window.location.assign(`${sso_url}?return=${encodeURIComponent(destination(from))}`);
    } catch (thrown) {
      setError(getFailureMessage(thrown));
      setSending(false);
    }
  }

  return (
    <form className={classes.form} onSubmit={submit}>
      {error !== undefined && <FormError>{error}</FormError>}
      <TextInput
        label="Email"
        name="email"
        type="email"
        required
        withAsterisk={false}
        autoComplete="username"
        autoFocus
        spellCheck={false}
        value={email}
        onChange={({ currentTarget: { value } }) => setEmail(value)}
      />
      <Button type="submit" loading={isSending} fullWidth>
        Continue
      </Button>
      <Button variant="subtle" color="gray" disabled={isSending} fullWidth onClick={() => onPassword(email)}>
        Sign in with your password instead
      </Button>
    </form>
  );
}
