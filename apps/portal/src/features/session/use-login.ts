import { useRef, useState } from 'react';
import { Failure, getFailureMessage } from '#platform/api/failure.ts';
import { cancelPasskeys, signWithPasskey } from '#workspace/session/passkeys.ts';
import { type Entry, signInWithPasskey, signInWithPassword } from '#workspace/session/session.ts';
import { openSwitchTeam } from '#workspace/teams/teams.ts';
import { destination, isOpenToEveryone } from './destination.ts';

export interface Opening {
  from?: string | undefined;
  notice?: string | undefined;
  /** Says what signing in does. */
  next?: string | undefined;
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
  /** Password and code were correct, or the passkey, but the account can't sign in: the reason, and whom to ask. */
  closed: string | undefined;
  typed: Typed;
  error: string | undefined;
  isSending: boolean;
  submitPassword: (typed: Typed) => Promise<boolean>;
  submitCode: (token: string) => Promise<boolean>;
  /** With `isAutofill`, the browser offers passkeys in the email field. */
  submitPasskey: (options?: { isAutofill?: boolean }) => Promise<void>;
  /** Returns to the password step and keeps the input that was right. */
  goBack: () => void;
}

/** Each attempt resolves to true if it succeeded, and then `onEnter` is called with the path of the screen to show. */
export function useLogin({ from }: Opening, onEnter: (path: string) => void): Login {
  const [typed, setTyped] = useState<Typed>({ login_id: '', password: '' });
  const [isCodeNeeded, setCodeNeeded] = useState(false);
  const { error, closed, isSending, attempt, clear } = useAttempt((entry) => enter(entry, from, onEnter));
  const { submitPasskey, stopOffering } = usePasskeys(attempt);
  const explain = (thrown: unknown) => {
    if (!(thrown instanceof Failure && thrown.id === 'mfa.required')) return explainPassword(thrown);
    setCodeNeeded(true);
    return undefined;
  };
  return {
    isCodeNeeded,
    typed,
    error,
    closed,
    isSending,
    submitPasskey,
    submitPassword(next) {
      stopOffering();
      setTyped(next);
      return attempt(() => signInWithPassword(next), explain);
    },
    submitCode: (token) => attempt(() => signInWithPassword({ ...typed, token }), getFailureMessage),
    goBack() {
      setCodeNeeded(false);
      clear();
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
  const [closed, setClosed] = useState<string>();
  const [isSending, setSending] = useState(false);
  const clear = () => {
    setError(undefined);
    setClosed(undefined);
  };
  const attempt: Attempt = async (signIn, explain) => {
    clear();
    setSending(true);
    try {
      const entry = await signIn();
      if (entry !== null) onSignedIn(entry);
      else setSending(false);
      return entry !== null;
    } catch (thrown) {
      if (isClosed(thrown)) setClosed(thrown.message);
      else setError(explain(thrown));
      setSending(false);
      return false;
    }
  };
  return { error, closed, isSending, attempt, clear };
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

function isClosed(thrown: unknown): thrown is Failure {
  return thrown instanceof Failure && (thrown.id === 'session.deactivated' || thrown.id === 'session.no_team');
}
