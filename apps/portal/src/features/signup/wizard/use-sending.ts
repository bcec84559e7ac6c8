import { signUp } from '@steward/contract/signup';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getFailureMessage } from '#platform/api/failure.ts';
import { mutationOptionsFor } from '#platform/api/queries.ts';
import { toRequest } from './signup.form.ts';
import type { Wizard } from './wizard.ts';

const sending = mutationOptionsFor(signUp);

/** `onSent` isn't called if the user has left the step. */
export function useSending({ draft, edit }: Wizard, onSent: () => void) {
  const client = useQueryClient();
  const { mutate, isPending, error } = useMutation(sending);
  return {
    isSending: isPending,
    failure: error === null ? undefined : getFailureMessage(error),
    send: () => {
      // The second click of a double click arrives before the button is shown as busy.
      if (client.isMutating({ mutationKey: [signUp.name] }) > 0) return;
      const onSuccess = () => {
        edit({ sent_at: Date.now() });
        onSent();
      };
      mutate({ body: toRequest(draft) }, { onSuccess });
    },
  };
}
