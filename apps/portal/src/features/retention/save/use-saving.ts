import type { RetentionKind } from '@steward/contract/retention/fields';
import { useState } from 'react';
import { showAlert } from '#platform/feedback/alerts.tsx';
import { useSaveRules } from '../retention.queries.ts';
import type { Group, Setting } from '../rules/groups.ts';
import {
  type Edits,
  getRules,
  isClearlyLessStrict,
  type Rules,
  type SavedRules,
  toPlainRule,
} from '../rules/retention.form.ts';
import type { GroupFormState } from '../rules/use-group-form.ts';
import { type Asked, usePreview } from './use-preview.ts';

/** The dialog before a save. */
export interface Asking {
  asked: Asked;
  opened: boolean;
  isSaving: boolean;
  close: () => void;
  retry: () => void;
  confirm: (rules: Rules) => void;
}

/** Saving a group. */
export interface Saving {
  save: () => void;
  isBusy: boolean;
  /** Why the last try failed; stays beside the form until the next. */
  failure: string | undefined;
  /** Puts the rule that is in force in the place of the one that waits. */
  restorePreviousRule: (setting: Setting, then: () => void) => void;
  /** The setting that this is under way for. */
  keeping: RetentionKind | undefined;
  asking: Asking;
}

interface Saved {
  group: Group;
  teamId: string;
  saved: SavedRules;
  form: GroupFormState;
}

/** Saves at once what deletes less, and asks before anything that may delete more (design §6). */
export function useSaving({ group, teamId, saved, form }: Saved): Saving {
  const saving = useSaveRules(group, teamId);
  const { preview, isCounting, asked, opened, close } = usePreview(group, teamId);
  const [keeping, setKeeping] = useState<RetentionKind>();

  const send = (rules: Rules, letGo: () => void) =>
    saving.mutate(rules, {
      onSuccess: () => {
        letGo();
        showAlert({ kind: 'success', text: 'Saved Successfully' });
      },
      onError: ({ message }) => showAlert({ kind: 'error', text: message }),
      onSettled: () => {
        setKeeping(undefined);
        close();
      },
    });
  const sendEdits = (rules: Rules, edits: Edits) => send(rules, () => form.markSaved(edits));
  const save = () => {
    saving.reset();
    const { edits, changed } = form;
    const rules = getRules(group.settings, saved, edits);
    const onNoImpact = () => sendEdits(rules, edits);
    if (changed.every(({ kind }) => isLessStrict(rules[kind], saved[kind]))) onNoImpact();
    else void preview({ rules, settings: changed, onNoImpact });
  };
  const restorePreviousRule = ({ kind }: Setting, then: () => void) => {
    saving.reset();
    setKeeping(kind);
    const previousRule = toPlainRule(saved[kind]?.in_force ?? { value: 0 });
    send({ ...getRules(group.settings, saved, {}), [kind]: previousRule }, () => {
      form.reset(kind);
      then();
    });
  };
  return {
    save,
    isBusy: saving.isPending || isCounting,
    failure: saving.error?.message,
    restorePreviousRule,
    keeping,
    asking: {
      ...{ asked, opened, close },
      isSaving: saving.isPending,
      retry: save,
      confirm: (rules) => sendEdits(rules, form.edits),
    },
  };
}

function isLessStrict(rule: Rules[RetentionKind], stored: SavedRules[RetentionKind]): boolean {
  const keep = { value: 0 } as const;
  return isClearlyLessStrict(rule ?? keep, stored?.in_force ?? stored ?? keep);
}
