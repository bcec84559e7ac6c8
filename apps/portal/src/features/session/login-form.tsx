import { Button, PasswordInput, TextInput } from '@mantine/core';
import { getLoginOptions } from '@steward/contract/session/login-options';
import { type FormEvent, useRef, useState } from 'react';
import { call } from '#platform/api/api.ts';
import { getFailureMessage } from '#platform/api/failure.ts';
import { getSignUpAccess, isSsoOn } from '#platform/product/product.ts';
import classes from '#workspace/page/card.module.css';
import { Card, FormError, FormNotice } from '#workspace/page/card.tsx';
import { arePasskeysSupported } from '#workspace/session/passkeys.ts';
import { destination } from './destination.ts';
import { SsoError } from './sso-error.tsx';
import type { Login, Opening } from './use-login.ts';

export function LoginForm({ login, opening }: { login: Login; opening: Opening }) {
  const { notice, next, error: cookieError, ssoErrorId } = opening;
  const { error } = login;
  return (
    <Card title="Sign in">
      <div className={classes.form}>
        {error === undefined && notice !== undefined && <FormNotice>{notice}</FormNotice>}
        {next !== undefined && (
          <p className={classes.text} style={{ margin: 0 }}>
            {next}
          </p>
        )}
        {error === undefined && cookieError !== undefined && <FormError>{cookieError}</FormError>}
        {error !== undefined && <FormError>{error}</FormError>}
        {error === undefined && <SsoError id={ssoErrorId} />}
        <Steps login={login} from={opening.from} />
        {arePasskeysSupported() && <PasskeyButton login={login} />}
      </div>
      <p className={classes.foot}>
        <a href="/forgot_password" className={classes.link}>
          Forgot Password
        </a>
      </p>
      {getSignUpAccess() !== 'off' && (
        <p className={classes.foot}>
          New here?{' '}
          <a href="/signup" className={classes.link}>
            Create a team
          </a>
        </p>
      )}
    </Card>
  );
}

/** If no team on this server has single sign-on, email and password are one step. */
function Steps({ login, from }: { login: Login; from: string | undefined }) {
  const [email, setEmail] = useState(isSsoOn() && login.typed.login_id === '' ? undefined : '');
  if (email === undefined) return <EmailStep login={login} from={from} onPassword={setEmail} />;
  return <PasswordStep login={login} email={email} />;
}

function PasswordStep({ login, email }: { login: Login; email: string }) {
  const { typed, isSending, submitPassword } = login;
  const password = useRef<HTMLInputElement>(null);
  const offer = useAutofill(login);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const entered = { login_id: String(form.get('email')), password: String(form.get('password')) };
    if (!(await submitPassword(entered))) password.current?.select();
  }

  return (
    <form className={classes.form} onSubmit={submit}>
      <TextInput
        label="Email"
        name="email"
        type="email"
        autoComplete="username webauthn"
        defaultValue={email || typed.login_id}
        autoFocus={email === ''}
        spellCheck={false}
        {...offer}
      />
      <PasswordInput
        ref={password}
        label="Password"
        name="password"
        autoComplete="current-password"
        defaultValue={typed.password}
        autoFocus={email !== ''}
        visibilityToggleButtonProps={{ 'aria-label': 'Show password', tabIndex: 0 }}
      />
      <Button type="submit" loading={isSending} fullWidth>
        Sign in
      </Button>
    </form>
  );
}

/** Passkeys are requested only when the user focuses the field: the initial autofocus must not send a request. */
function useAutofill({ submitPasskey }: Login) {
  const wasLeft = useRef(false);
  if (!arePasskeysSupported()) return {};
  const offer = () => void submitPasskey({ isAutofill: true });
  return {
    onPointerDown: offer,
    onBlur: () => {
      wasLeft.current = true;
    },
    onFocus: () => {
      if (wasLeft.current) offer();
    },
  };
}

export function PasskeyButton({ login: { isSending, submitPasskey } }: { login: Login }) {
  return (
    <Button variant="default" disabled={isSending} fullWidth onClick={() => void submitPasskey()}>
      Sign in with a passkey
    </Button>
  );
}

interface EmailStepProps {
  login: Login;
  from: string | undefined;
  /** The password is the next step; `email` is the address if it is already known. */
  onPassword: (email: string) => void;
}

/** If a team uses single sign-on, the address comes first, because it decides the next step. */
function EmailStep({ login, from, onPassword }: EmailStepProps) {
  const [email, setEmail] = useState('');
  const [error, setError] = useState<string>();
  const [isSending, setSending] = useState(false);
  const offer = useAutofill(login);

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
        autoComplete="username webauthn"
        autoFocus
        spellCheck={false}
        value={email}
        onChange={({ currentTarget: { value } }) => setEmail(value)}
        {...offer}
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
