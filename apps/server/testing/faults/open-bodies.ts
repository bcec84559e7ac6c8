import type { SignedInUser } from '#testing/workspace/factories.ts';

/** Valid bodies of the calls without a session, by name. For every other call, the guard queries the database first. */
export function createOpenBodies({
  email,
  password,
}: Pick<SignedInUser, 'email' | 'password'>): Record<string, unknown> {
  const newPassword = 'a quite new password';
  return {
    login: { login_id: email, password },
    getLoginOptions: { login_id: email },
    loginWithPasskey: {
      response: {
        ...{ id: 'YQ', rawId: 'YQ', type: 'public-key', clientExtensionResults: {} },
        response: { clientDataJSON: 'YQ', authenticatorData: 'YQ', signature: 'YQ' },
      },
    },
    sendPasswordReset: { email },
    checkResetLink: { token: 'x' },
    resetPassword: { token: 'x', new_password: newPassword },
    signUp: { team_name: 'Acme', owner_email: 'new@example.test' },
    checkSignUp: { token: 'x' },
    checkInvitationLink: { token: 'x' },
    checkStillNeeded: { token: 'x' },
    confirmStillNeeded: { token: 'x' },
    askToJoin: { token: 'x', email: 'new@example.test' },
    setUp: { token: 'x', team_name: 'Acme', email: 'new@example.test', first: 'A', last: 'B', password: newPassword },
    finishSignUp: { token: 'x', first: 'A', last: 'B', password: newPassword, password2: newPassword },
  };
}
