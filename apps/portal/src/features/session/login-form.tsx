import { Button, PasswordInput, TextInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { getSignUpAccess } from '#platform/product/sign-up-access.ts';
import { isSsoOn } from '#platform/product/sso-sign.ts';
import classes from '#workspace/page/card.module.css';
import { Card, FormError, FormNotice } from '#workspace/page/card.tsx';
import { arePasskeysSupported } from '#workspace/session/passkeys.ts';
import { EmailStep } from './email-step.tsx';
import { SsoError } from './sso-error.tsx';
import type { Login, Opening } from './use-login.ts';

/** The first step: email and password, or a passkey. */
export function LoginForm({ login, opening }: { login: Login; opening: Opening }) {
  const { notice, error: cookieError, ssoErrorId } = opening;
  const { error } = login;
  return (
    <Card title="Sign in">
      <div className={classes.form}>
        {error === undefined && notice !== undefined && <FormNotice>{notice}</FormNotice>}
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

/** Without single sign-on on this server, email and password are one step. */
function Steps({ login, from }: { login: Login; from: string | undefined }) {
  const [email, setEmail] = useState(isSsoOn() && login.typed.login_id === '' ? undefined : '');
  if (email === undefined) return <EmailStep from={from} onPassword={setEmail} />;
  return <PasswordStep login={login} email={email} />;
}

/** With an email that was typed before, the password comes next. */
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

/** Passkeys are offered in the field once someone goes to it: the focus that it has at first asks the server for nothing. */
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

/** Signs in with a passkey, in either step. */
export function PasskeyButton({ login: { isSending, submitPasskey } }: { login: Login }) {
  return (
    <Button variant="default" disabled={isSending} fullWidth onClick={() => void submitPasskey()}>
      Sign in with a passkey
    </Button>
  );
}
