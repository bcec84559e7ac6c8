import { useRef, useState } from 'react';
import { Failure, getFailureMessage } from '#platform/api/failure.ts';
import { cancelPasskeys, signWithPasskey } from '#workspace/session/passkeys.ts';
import { type Entry, signInWithPasskey, signInWithPassword } from '#workspace/session/session.ts';
import { openSwitchTeam } from '#workspace/teams/teams.ts';
import { destination, isOpenToEveryone } from './destination.ts';

export interface Opening {
  from?: string | undefined;
  notice?: string | undefined;
  error?: string | undefined;
  ssoErrorId: string | null;
}

/** The input is kept while the code is requested. */
export interface Typed {
  login_id: string;
  password: string;
}

export interface Login {
  /** The password was correct, and a code is needed. */
  isCodeNeeded: boolean;
  typed: Typed;
  error: string | undefined;
  isSending: boolean;
  submitPassword: (typed: Typed) => Promise<boolean>;
  submitCode: (token: string) => Promise<boolean>;
  /** With `isAutofill`, the browser offers passkeys in the email field. */
  submitPasskey: (options?: { isAutofill?: boolean }) => Promise<void>;
  /** Returns to the password step and keeps the input. */
  goBack: () => void;
}

/** Each attempt resolves to true if it succeeded, and then `onEnter` is called with the path of the screen to show. */
export function useLogin({ from }: Opening, onEnter: (path: string) => void): Login {
  const [typed, setTyped] = useState<Typed>({ login_id: '', password: '' });
  const [isCodeNeeded, setCodeNeeded] = useState(false);
  const { error, isSending, attempt, clearError } = useAttempt((entry) => enter(entry, from, onEnter));
  const { submitPasskey, stopOffering } = usePasskeys(attempt);
  const explain = (thrown: unknown) => {
    if (!(thrown instanceof Failure && thrown.id === 'mfa.required')) return explainPassword(thrown);
    setCodeNeeded(true);
    return undefined;
  };
  return {
    ...{ isCodeNeeded, typed, error, isSending, submitPasskey },
    submitPassword(next) {
      stopOffering();
      setTyped(next);
      return attempt(() => signInWithPassword(next), explain);
    },
    submitCode: (token) => attempt(() => signInWithPassword({ ...typed, token }), getFailureMessage),
    goBack() {
      setCodeNeeded(false);
      clearError();
    },
  };
}

type Attempt = (
  signIn: () => Promise<Entry | null>,
  explain: (thrown: unknown) => string | undefined,
) => Promise<boolean>;

/** Only one attempt runs at a time. The error is null if the user canceled. */
function useAttempt(onSignedIn: (entry: Entry) => void) {
  const [error, setError] = useState<string>();
  const [isSending, setSending] = useState(false);
  const attempt: Attempt = async (signIn, explain) => {
    setError(undefined);
    setSending(true);
    try {
      const entry = await signIn();
      if (entry !== null) onSignedIn(entry);
      else setSending(false);
      return entry !== null;
    } catch (thrown) {
      setError(explain(thrown));
      setSending(false);
      return false;
    }
  };
  return { error, isSending, attempt, clearError: () => setError(undefined) };
}

function usePasskeys(attempt: Attempt) {
  const isOffering = useRef(false);
  const stopOffering = () => {
    if (isOffering.current) void cancelPasskeys();
    isOffering.current = false;
  };
  const submitPasskey = async ({ isAutofill = false } = {}) => {
    if (isAutofill && isOffering.current) return;
    if (!isAutofill) stopOffering();
    isOffering.current = isAutofill;
    // While the browser only offers passkeys, the form stays usable and failures need no message.
    const signed = isAutofill ? await signWithPasskey({ isAutofill }).catch(() => null) : undefined;
    if (signed === null) return;
    isOffering.current = false;
    await attempt(async () => {
      const response = signed ?? (await signWithPasskey());
      return response === null ? null : signInWithPasskey(response);
    }, getFailureMessage);
  };
  return { submitPasskey, stopOffering };
}

function enter(entry: Entry, from: string | undefined, onEnter: (path: string) => void): void {
  const path = destination(from);
  if (entry !== 'refused' && entry.teams.length > 1) openSwitchTeam();
  onEnter(entry === 'refused' && !isOpenToEveryone(path) ? '/permission_error' : path);
}

/** After too many attempts, a network is refused before the password is checked. */
function explainPassword(thrown: unknown): string {
  const message = getFailureMessage(thrown);
  return thrown instanceof Failure && thrown.status_code === 429 ? message : `${message} Your password is incorrect`;
}
