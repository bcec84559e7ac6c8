import type { RetentionKind } from '@steward/contract/retention/fields';
import { isStricter } from '@steward/contract/retention/rules';
import type { UseMutationResult } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type Failure, getFailureMessage } from '#platform/api/failure.ts';
import { showFailure, showSuccess } from '#platform/feedback/alerts.tsx';
import { getRules, type RulesFormState, toPlainRule } from './rules.form.ts';
import type { Rules, SavedRules, Setting } from './settings.ts';

/** If counting takes longer than this, the dialog opens before the count is ready. */
const COUNTING_DELAY_MS = 300;

/** The part of a count that the form needs; the rest is for its dialog. */
interface Preview {
  deletes_more: boolean;
}

export interface Impact<P> {
  setting: Setting;
  preview: P;
}

type Step<P> =
  | { name: 'counting' }
  | { name: 'failed'; reason: string }
  | { name: 'ready'; impacts: readonly Impact<P>[]; rules: Rules };

export interface Confirmation<P> {
  step: Step<P>;
  opened: boolean;
  isSaving: boolean;
  close: () => void;
  retry: () => void;
  confirm: (rules: Rules) => void;
}

export interface Saving<P> {
  save: () => void;
  isBusy: boolean;
  /** The error is shown next to the form until the next attempt. */
  failure: string | undefined;
  /** Saving the current rule again cancels the scheduled one. */
  cancelChange: (setting: Setting, onCanceled: () => void) => void;
  canceling: RetentionKind | undefined;
  confirmation: Confirmation<P>;
}

type PreviewRules<P> = (rules: Rules, signal: AbortSignal) => Promise<Partial<Record<RetentionKind, P | undefined>>>;

interface SavingInput<P> {
  settings: readonly Setting[];
  saved: SavedRules;
  form: RulesFormState;
  saving: UseMutationResult<SavedRules, Failure, Rules>;
  preview: PreviewRules<P>;
}

/** A rule that deletes no more than before is saved immediately. A stricter rule is counted and confirmed first. */
export function useSaving<P extends Preview>({ settings, saved, form, saving, preview }: SavingInput<P>): Saving<P> {
  const { count, isCounting, step, opened, close } = useImpactCount(preview);
  const [canceling, setCanceling] = useState<RetentionKind>();

  const send = (rules: Rules, onSaved: () => void) =>
    saving.mutate(rules, {
      onSuccess: () => {
        onSaved();
        showSuccess('Saved Successfully');
      },
      onError: showFailure,
      onSettled: () => {
        setCanceling(undefined);
        close();
      },
    });
  const save = () => {
    saving.reset();
    const { edits, changed } = form;
    const rules = getRules(settings, saved, edits);
    const sendEdits = () => send(rules, () => form.markSaved(edits));
    if (changed.some(({ kind }) => isStricterThanSaved(rules, saved, kind))) void count(rules, changed, sendEdits);
    else sendEdits();
  };
  const cancelChange = ({ kind }: Setting, onCanceled: () => void) => {
    saving.reset();
    setCanceling(kind);
    const current = toPlainRule(saved[kind]?.in_force ?? { value: 0 });
    send({ ...getRules(settings, saved, {}), [kind]: current }, () => {
      form.reset(kind);
      onCanceled();
    });
  };
  return {
    save,
    isBusy: saving.isPending || isCounting,
    failure: saving.error?.message,
    cancelChange,
    canceling,
    confirmation: {
      step,
      opened,
      close,
      isSaving: saving.isPending,
      retry: save,
      confirm: (rules) => send(rules, () => form.markSaved(form.edits)),
    },
  };
}

function isStricterThanSaved(rules: Rules, saved: SavedRules, kind: RetentionKind): boolean {
  return isStricter(rules[kind] ?? null, saved[kind]?.in_force ?? saved[kind] ?? null);
}

/** A failed count never leads to a save. */
function useImpactCount<P extends Preview>(preview: PreviewRules<P>) {
  const [step, setStep] = useState<Step<P>>({ name: 'counting' });
  const [opened, setOpened] = useState(false);
  const [isCounting, setCounting] = useState(false);
  const request = useRef<AbortController>(undefined);
  useEffect(() => () => request.current?.abort(), []);

  const close = () => {
    request.current?.abort();
    setCounting(false);
    setOpened(false);
  };
  const show = (next: Step<P>) => {
    setStep(next);
    setOpened(true);
  };
  const count = async (rules: Rules, changed: readonly Setting[], onNoImpact: () => void) => {
    request.current?.abort();
    request.current = new AbortController();
    const { signal } = request.current;
    const timer = setTimeout(() => !signal.aborted && show({ name: 'counting' }), COUNTING_DELAY_MS);
    setCounting(true);
    if (opened) setStep({ name: 'counting' });
    try {
      const impacts = getImpacts(changed, await preview(rules, signal));
      if (impacts.length === 0) onNoImpact();
      else show({ name: 'ready', impacts, rules });
    } catch (thrown) {
      if (!signal.aborted) show({ name: 'failed', reason: getFailureMessage(thrown) });
    } finally {
      clearTimeout(timer);
      if (!signal.aborted) setCounting(false);
    }
  };
  return { step, opened, isCounting, count, close };
}

function getImpacts<P extends Preview>(
  settings: readonly Setting[],
  previews: Partial<Record<RetentionKind, P | undefined>>,
): readonly Impact<P>[] {
  return settings.flatMap((setting) => {
    const preview = previews[setting.kind];
    // A setting missing from the response was not counted, so it must not be saved.
    if (preview === undefined) throw new Error('Not everything could be counted. Please try again.');
    return preview.deletes_more ? [{ setting, preview }] : [];
  });
}
