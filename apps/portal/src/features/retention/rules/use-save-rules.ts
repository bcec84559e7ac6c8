import type { Preview } from '@steward/contract/retention';
import type { RetentionKind } from '@steward/contract/retention/fields';
import { isStricter } from '@steward/contract/retention/rules';
import { useEffect, useRef, useState } from 'react';
import { getFailureMessage } from '#platform/api/failure.ts';
import { showAlert } from '#platform/feedback/alerts.tsx';
import type { Group, Rules, SavedRules, Setting } from '../groups.ts';
import { previewRules, useSaveRules } from '../retention.queries.ts';
import { type GroupFormState, getRules, toPlainRule } from './group.form.ts';

/** If counting takes longer than this, the dialog opens before the count is ready. */
const COUNTING_DELAY_MS = 300;

export interface Impact {
  setting: Setting;
  preview: Preview;
}

type Step =
  | { name: 'counting' }
  | { name: 'failed'; reason: string }
  | { name: 'ready'; impacts: readonly Impact[]; rules: Rules };

export interface Confirmation {
  step: Step;
  opened: boolean;
  isSaving: boolean;
  close: () => void;
  retry: () => void;
  confirm: (rules: Rules) => void;
}

export interface Saving {
  save: () => void;
  isBusy: boolean;
  /** The error is shown next to the form until the next attempt. */
  failure: string | undefined;
  /** Saving the current rule again cancels the scheduled one. */
  cancelChange: (setting: Setting, onCanceled: () => void) => void;
  canceling: RetentionKind | undefined;
  confirmation: Confirmation;
}

interface SavingInput {
  group: Group;
  teamId: string;
  saved: SavedRules;
  form: GroupFormState;
}

/** A rule that deletes no more than before is saved immediately. A stricter rule is counted and confirmed first. */
export function useSaving({ group, teamId, saved, form }: SavingInput): Saving {
  const saving = useSaveRules(group, teamId);
  const { count, isCounting, step, opened, close } = useImpactCount(group, teamId);
  const [canceling, setCanceling] = useState<RetentionKind>();

  const send = (rules: Rules, onSaved: () => void) =>
    saving.mutate(rules, {
      onSuccess: () => {
        onSaved();
        showAlert({ kind: 'success', text: 'Saved Successfully' });
      },
      onError: ({ message }) => showAlert({ kind: 'error', text: message }),
      onSettled: () => {
        setCanceling(undefined);
        close();
      },
    });
  const save = () => {
    saving.reset();
    const { edits, changed } = form;
    const rules = getRules(group.settings, saved, edits);
    const sendEdits = () => send(rules, () => form.markSaved(edits));
    if (changed.some(({ kind }) => isStricterThanSaved(rules, saved, kind))) void count(rules, changed, sendEdits);
    else sendEdits();
  };
  const cancelChange = ({ kind }: Setting, onCanceled: () => void) => {
    saving.reset();
    setCanceling(kind);
    const current = toPlainRule(saved[kind]?.in_force ?? { value: 0 });
    send({ ...getRules(group.settings, saved, {}), [kind]: current }, () => {
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
function useImpactCount(group: Group, teamId: string) {
  const [step, setStep] = useState<Step>({ name: 'counting' });
  const [opened, setOpened] = useState(false);
  const [isCounting, setCounting] = useState(false);
  const request = useRef<AbortController>(undefined);
  useEffect(() => () => request.current?.abort(), []);

  const close = () => {
    request.current?.abort();
    setCounting(false);
    setOpened(false);
  };
  const show = (next: Step) => {
    setStep(next);
    setOpened(true);
  };
  const count = async (rules: Rules, settings: readonly Setting[], onNoImpact: () => void) => {
    request.current?.abort();
    request.current = new AbortController();
    const { signal } = request.current;
    const timer = setTimeout(() => !signal.aborted && show({ name: 'counting' }), COUNTING_DELAY_MS);
    setCounting(true);
    if (opened) setStep({ name: 'counting' });
    try {
      const impacts = getImpacts(settings, await previewRules(group, teamId, { rules, signal }));
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

function getImpacts(
  settings: readonly Setting[],
  previews: Partial<Record<RetentionKind, Preview | undefined>>,
): readonly Impact[] {
  return settings.flatMap((setting) => {
    const preview = previews[setting.kind];
    // A setting missing from the response was not counted, so it must not be saved.
    if (preview === undefined) throw new Error('Not everything could be counted. Please try again.');
    return preview.deletes_more ? [{ setting, preview }] : [];
  });
}
