import { CodeForm } from './code-form.tsx';
import { LoginForm } from './login-form.tsx';
import { type Opening, useLogin } from './use-login.ts';

interface SignInStepsProps {
  opening: Opening;
  /** Goes to a path of the portal in place of this one. */
  onEnter: (path: string) => void;
}

/** Password and code. Both steps share what was typed. */
export function SignInSteps({ opening, onEnter }: SignInStepsProps) {
  const login = useLogin(opening, onEnter);
  return login.isCodeNeeded ? <CodeForm login={login} /> : <LoginForm login={login} opening={opening} />;
}
