import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import classes from '#workspace/page/card.module.css';
import { Card, FormError } from '#workspace/page/card.tsx';
import { arePasskeysSupported } from '#workspace/session/passkeys.ts';
import { LoginForm, PasskeyButton } from './login-form.tsx';
import { readSsoErrorId } from './sso-error.tsx';
import { type Login, type Opening, useLogin } from './use-login.ts';

interface SignInStepsProps {
  opening: Opening;
  /** The path replaces the current one in the history. */
  onEnter: (path: string) => void;
}

/** The steps share the input. */
export function SignInSteps({ opening, onEnter }: SignInStepsProps) {
  const login = useLogin(opening, onEnter);
  if (login.closed !== undefined) return <ClosedAccount message={login.closed} onBack={login.goBack} />;
  return login.isCodeNeeded ? <CodeForm login={login} /> : <LoginForm login={login} opening={opening} />;
}

function ClosedAccount({ message, onBack }: { message: string; onBack: () => void }) {
  return (
    <Card title="You can't sign in at the moment" isTitleFocused>
      <p className={classes.text}>{message}</p>
      <p className={classes.foot}>
        <button type="button" className={classes.link} onClick={onBack}>
          Back to sign in
        </button>
      </p>
    </Card>
  );
}

/** Recovery codes are accepted too. */
function CodeForm({ login }: { login: Login }) {
  const { error, isSending, submitCode, goBack } = login;
  const code = useRef<HTMLInputElement>(null);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!(await submitCode(String(new FormData(event.currentTarget).get('code'))))) code.current?.select();
  }

  return (
    <Card title="Two-factor authentication">
      <div className={classes.form}>
        {error !== undefined && <FormError>{error}</FormError>}
        <form className={classes.form} onSubmit={submit}>
          <TextInput
            ref={code}
            label="Code"
            description="Enter the 6-digit code of your authenticator app, or one of your recovery codes."
            name="code"
            required
            withAsterisk={false}
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={200}
            autoFocus
          />
          <Button type="submit" loading={isSending} fullWidth>
            Verify
          </Button>
        </form>
        {arePasskeysSupported() && <PasskeyButton login={login} />}
      </div>
      <p className={classes.text} style={{ margin: '16px 0 0' }}>
        Lost your device and your recovery codes? Ask an owner of your team to remove your second factors.
      </p>
      <p className={classes.foot}>
        <button type="button" className={classes.link} onClick={goBack}>
          Back to sign in
        </button>
      </p>
    </Card>
  );
}

interface FirstSignInProps {
  /** Called on the first input, because the portal will soon be needed. */
  onType: () => void;
  onEnter: (path: string) => void;
}

/** This is the first screen of a visit. It has no router, because the router is loaded with the portal. */
export function FirstSignIn({ onType, onEnter }: FirstSignInProps) {
  const [opening] = useState(readOpening);
  return (
    <div style={{ display: 'contents' }} onInput={onType}>
      <SignInSteps opening={opening} onEnter={onEnter} />
    </div>
  );
}

/** The page may have been reloaded, so the values come from the history entry, where the router stores them too. */
function readOpening(): Opening {
  const state: unknown = history.state;
  const { from, notice, next, error } = (state ?? {}) as Omit<Opening, 'ssoErrorId'>;
  return { from, notice, next, error, ssoErrorId: readSsoErrorId(location.search) };
}
