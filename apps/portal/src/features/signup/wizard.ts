import { signUp } from '@steward/contract/signup';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { getFailureMessage } from '#platform/api/failure.ts';
import { mutationOptionsFor } from '#platform/api/queries.ts';
import {
  type Draft,
  EMPTY_DRAFT,
  edited,
  openStep,
  parseDraft,
  type Step,
  stepAfter,
  stepBefore,
  toRequest,
} from './signup.form.ts';
import { storedDraft } from './stored-draft.ts';

/** Each step is an entry in the browser's history. */
export interface Wizard {
  draft: Draft;
  step: Step;
  edit: (answers: Partial<Draft>) => void;
  next: () => void;
  back: () => void;
  startOver: () => void;
}

/** The first step has no query. */
export function toSearch(step: Step): { step?: string } {
  return step === 'team' ? {} : { step };
}

export function useWizard(wanted: string | undefined): Wizard {
  const [draft, setDraft] = useState(() => parseDraft(storedDraft.read()));
  const router = useRouter();
  const { history } = router;
  const navigate = useNavigate();
  const step = openStep(draft, wanted);
  return {
    draft,
    step,
    edit: (answers) => {
      const now = edited(draft, answers);
      storedDraft.write(JSON.stringify(now));
      setDraft(now);
    },
    next: () => {
      if (router.state.location.state.isDetour === true) history.back();
      else void navigate({ to: '/signup', search: toSearch(stepAfter(step)) });
    },
    back: () => {
      if (history.canGoBack()) history.back();
      else void navigate({ to: '/signup', search: toSearch(stepBefore(step)), replace: true });
    },
    startOver: () => {
      storedDraft.clear();
      setDraft(EMPTY_DRAFT);
      void navigate({ to: '/signup', search: {}, replace: true });
    },
  };
}

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
