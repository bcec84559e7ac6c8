import { Suspense } from 'react';
import { setConfirmer } from '#platform/api/api.ts';
import { lazyComponent } from '#platform/lazy-component.ts';
import { createStore, useStore } from '#platform/store.ts';

const StepUpDialog = lazyComponent(async () => (await import('./step-up-dialog.tsx')).StepUpDialog);

/** Calls that are refused while the question is open wait for the same answer. */
interface Question {
  number: number;
  answer: Promise<boolean>;
  resolve: (isConfirmed: boolean) => void;
}

const question = createStore<Question | null>(null);
let questions = 0;

/** Resolves to false if the user cancels. */
export function confirmIdentity(): Promise<boolean> {
  if (question.get() === null) {
    const { promise: answer, resolve } = Promise.withResolvers<boolean>();
    questions += 1;
    question.set({ number: questions, answer, resolve });
  }
  return question.get()?.answer ?? Promise.resolve(false);
}

function answerQuestion(isConfirmed: boolean): void {
  question.get()?.resolve(isConfirmed);
  question.set(null);
}

setConfirmer(confirmIdentity);

/** One dialog serves every screen, so no screen has to know which calls need confirmation. */
export function StepUp() {
  const open = useStore(question);
  // The latest dialog stays rendered, so that it can close with its transition.
  if (questions === 0) return null;
  return (
    <Suspense fallback={null}>
      <StepUpDialog key={questions} opened={open !== null} onAnswer={answerQuestion} />
    </Suspense>
  );
}
