import { Suspense, useSyncExternalStore } from 'react';
import { setConfirmer } from '#platform/api/api.ts';
import { lazyComponent } from '#platform/lazy-component.ts';

const StepUpDialog = lazyComponent(async () => (await import('./step-up-dialog.tsx')).StepUpDialog);

/** A question that is open: calls that are refused meanwhile wait for the same answer. */
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

/** Asks the user to confirm who they are; false if they cancel. */
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

/** The dialog that confirms who holds the session, for every screen: none has to know which calls ask for it. */
export function StepUp() {
  const open = useSyncExternalStore(subscribe, () => question);
  // The latest dialog stays, so that it can close with its transition.
  if (questions === 0) return null;
  return (
    <Suspense fallback={null}>
      <StepUpDialog key={questions} opened={open !== null} onAnswer={answerQuestion} />
    </Suspense>
  );
}
