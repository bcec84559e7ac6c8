import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef } from 'react';
import { DiscardDialog, useDiscardPrompt } from '#platform/dialogs/discard-dialog.tsx';
import { FocusableButton } from '#platform/forms/focusable-button.tsx';
import sheet from '#platform/forms/save-form.module.css';
import { overviewQueryOptions } from '../retention.queries.ts';
import { useRunEnd } from '../runs/use-run-end.ts';
import { SaveDialog } from '../save/save-dialog.tsx';
import { useSaving } from '../save/use-saving.ts';
import { focusCount } from './duration-field.tsx';
import classes from './group-form.module.css';
import type { Group } from './groups.ts';
import type { SavedRules } from './retention.form.ts';
import { SettingSection } from './setting-section.tsx';
import { useGroupForm } from './use-group-form.ts';

interface GroupFormProps {
  group: Group;
  saved: SavedRules;
  teamId: string;
}

/** The settings of a group, saved together. */
export function GroupForm({ group, saved, teamId }: GroupFormProps) {
  const form = useGroupForm(group, saved);
  const saving = useSaving({ group, teamId, saved, form });
  useRunEnd(useQuery(overviewQueryOptions(teamId)).data?.kinds.map(({ running }) => running));
  const isUnsaved = form.changed.length > 0;
  const mends = group.settings.some(({ kind }) => saved[kind]?.unreadable);
  const leaving = useDiscardPrompt(isUnsaved);
  const opener = useFocusReturn(saving.asking.opened);
  const foot = useRef<HTMLSpanElement>(null);
  const reset = () => {
    form.reset();
    // The button that was pressed goes away with what it was for.
    foot.current?.querySelector('button')?.focus();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    opener.current = document.activeElement;
    const wrong = form.check();
    if (wrong === undefined) saving.save();
    else focusCount(wrong);
  };
  return (
    <form noValidate className={`${sheet.form} ${classes.wide}`} aria-label={group.title} onSubmit={submit}>
      {group.settings.map((setting) => (
        <SettingSection
          key={setting.kind}
          {...{ group, setting, teamId, form, saving }}
          saved={saved[setting.kind] ?? { value: 0 }}
        />
      ))}
      <div className={sheet.foot}>
        <span ref={foot}>
          <FocusableButton type="submit" isDisabled={!isUnsaved && !mends} isBusy={saving.isBusy}>
            Save
          </FocusableButton>
        </span>
        {isUnsaved && (
          <Button variant="default" disabled={saving.isBusy} onClick={reset}>
            Reset
          </Button>
        )}
        <span className={sheet.note} role="status">
          {isUnsaved && 'Not saved yet'}
        </span>
        {saving.failure !== undefined && <p className={sheet.failure}>{saving.failure}</p>}
      </div>
      <SaveDialog teamId={teamId} asking={saving.asking} />
      <DiscardDialog
        opened={leaving.isConfirming}
        isKept
        question="Leave without saving?"
        onKeepPrevious={leaving.stay}
        onDiscard={() => leaving.leave(() => form.reset())}
      />
    </form>
  );
}

/** What saved, by a press or by Enter in a field, gets the focus back: the dialog may come later than it. */
function useFocusReturn(isConfirming: boolean) {
  const opener = useRef<Element>(null);
  const wasConfirming = useRef(false);
  useEffect(() => {
    if (wasConfirming.current && !isConfirming && opener.current instanceof HTMLElement) opener.current.focus();
    wasConfirming.current = isConfirming;
  }, [isConfirming]);
  return opener;
}
