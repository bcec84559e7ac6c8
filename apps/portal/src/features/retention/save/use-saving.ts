import type { RetentionKind } from '@steward/contract/retention/fields';
import { useState } from 'react';
import { showAlert } from '#platform/feedback/alerts.tsx';
import { useSaveRules } from '../retention.queries.ts';
import type { Group, Setting } from '../rules/groups.ts';
import {
  type Edits,
  isPlainlyMilder,
  plainRule,
  type Rules,
  rulesOf,
  type SavedRules,
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
  keepFormer: (setting: Setting, then: () => void) => void;
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
  const sendEdits = (rules: Rules, edits: Edits) => send(rules, () => form.settle(edits));
  const save = () => {
    saving.reset();
    const { edits, changed } = form;
    const rules = rulesOf(group.settings, saved, edits);
    const onHarmless = () => sendEdits(rules, edits);
    if (changed.every(({ kind }) => isMilder(rules[kind], saved[kind]))) onHarmless();
    else void preview({ rules, settings: changed, onHarmless });
  };
  const keepFormer = ({ kind }: Setting, then: () => void) => {
    saving.reset();
    setKeeping(kind);
    const former = plainRule(saved[kind]?.in_force ?? { value: 0 });
    send({ ...rulesOf(group.settings, saved, {}), [kind]: former }, () => {
      form.reset(kind);
      then();
    });
  };
  return {
    save,
    isBusy: saving.isPending || isCounting,
    failure: saving.error?.message,
    keepFormer,
    keeping,
    asking: {
      ...{ asked, opened, close },
      isSaving: saving.isPending,
      retry: save,
      confirm: (rules) => sendEdits(rules, form.edits),
    },
  };
}

function isMilder(rule: Rules[RetentionKind], stored: SavedRules[RetentionKind]): boolean {
  const keep = { value: 0 } as const;
  return isPlainlyMilder(rule ?? keep, stored?.in_force ?? stored ?? keep);
}
