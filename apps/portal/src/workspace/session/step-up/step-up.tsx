import { Suspense, useSyncExternalStore } from 'react';
import { setConfirmer } from '#platform/api/api.ts';
import { lazyComponent } from '#platform/lazy-component.ts';

const StepUpDialog = lazyComponent(async () => (await import('./step-up-dialog.tsx')).StepUpDialog);

/** Calls that are refused while the question is open wait for the same answer. */
interface Question {
  number: number;
  answer: Promise<boolean>;
  resolve: (isConfirmed: boolean) => void;
}

let question: Question | null = null;
let questions = 0;
const watchers = new Set<() => void>();

function setQuestion(next: Question | null): void {
  question = next;
  for (const watcher of watchers) watcher();
}

/** Resolves to false if the user cancels. */
export function confirmIdentity(): Promise<boolean> {
  if (question === null) {
    const { promise: answer, resolve } = Promise.withResolvers<boolean>();
    questions += 1;
    setQuestion({ number: questions, answer, resolve });
  }
  return question?.answer ?? Promise.resolve(false);
}

function answerQuestion(isConfirmed: boolean): void {
  question?.resolve(isConfirmed);
  setQuestion(null);
}

function subscribe(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

setConfirmer(confirmIdentity);

/** One dialog serves every screen, so no screen has to know which calls need confirmation. */
export function StepUp() {
  const open = useSyncExternalStore(subscribe, () => question);
  // The latest dialog stays rendered, so that it can close with its transition.
  if (questions === 0) return null;
  return (
    <Suspense fallback={null}>
      <StepUpDialog key={questions} opened={open !== null} onAnswer={answerQuestion} />
    </Suspense>
  );
}
