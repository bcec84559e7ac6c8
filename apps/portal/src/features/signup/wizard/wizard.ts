import { useNavigate, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import {
  type Draft,
  EMPTY_DRAFT,
  edited,
  openStep,
  parseDraft,
  type Step,
  stepAfter,
  stepBefore,
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
