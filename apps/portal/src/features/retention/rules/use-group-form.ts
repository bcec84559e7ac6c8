import type { RetentionKind } from '@steward/contract/retention/fields';
import { useState } from 'react';
import type { Group, Setting } from './groups.ts';
import {
  type Edits,
  getChangedSettings,
  getError,
  getFormValues,
  type RuleValues,
  type SavedRules,
} from './retention.form.ts';

/** The form of a group: what somebody entered, above what is stored. */
export interface GroupFormState {
  getFormValues: (setting: Setting) => RuleValues;
  edit: (kind: RetentionKind, part: Partial<RuleValues>) => void;
  /** What is wrong with a setting; told from the first try to save on. */
  getError: (setting: Setting) => string | undefined;
  edits: Edits;
  changed: readonly Setting[];
  /** Looks at everything, and answers the first setting that cannot be sent. */
  check: () => Setting | undefined;
  /** Lets go of what was entered, in one setting or in all. */
  reset: (kind?: RetentionKind) => void;
  /** What was entered is stored now; what was entered since stays. */
  markSaved: (sent: Edits) => void;
}

/** Settings that nobody touched follow what is stored, also when somebody else changes it meanwhile. */
export function useGroupForm({ settings }: Group, saved: SavedRules): GroupFormState {
  const [edits, setEdits] = useState<Edits>({});
  const [isChecked, setChecked] = useState(false);
  const values = ({ kind }: Setting) => edits[kind] ?? getFormValues(saved[kind] ?? { value: 0 });
  return {
    getFormValues: values,
    edits,
    changed: getChangedSettings(settings, saved, edits),
    edit: (kind, part) =>
      setEdits((before) => ({
        ...before,
        [kind]: { ...(before[kind] ?? getFormValues(saved[kind] ?? { value: 0 })), ...part },
      })),
    getError: (setting) => (isChecked ? getError(setting, values(setting)) : undefined),
    check: () => {
      const wrong = settings.find((setting) => getError(setting, values(setting)) !== undefined);
      setChecked(wrong !== undefined);
      return wrong;
    },
    reset: (kind) => {
      setChecked(false);
      setEdits((before) => (kind === undefined ? {} : without(before, kind)));
    },
    markSaved: (sent) => {
      setChecked(false);
      setEdits((before) => (before === sent ? {} : before));
    },
  };
}

function without(edits: Edits, kind: RetentionKind): Edits {
  const { [kind]: _, ...others } = edits;
  return others;
}
