import { Button } from '@mantine/core';
import type { Ref } from 'react';
import { FocusableButton } from '#platform/forms/focusable-button.tsx';
import classes from '#platform/forms/save-form.module.css';

interface SaveBarProps {
  bar: Ref<HTMLDivElement>;
  saving: { isSaving: boolean; failure: string | undefined };
  isUnsaved: boolean;
  /** Without a change of the person's there is nothing to save either. */
  isDisabled: boolean;
  onReset: () => void;
}

/** Saves the form or lets go of what was entered, and says why saving failed. */
export function SaveBar({ bar, saving: { isSaving, failure }, isUnsaved, isDisabled, onReset }: SaveBarProps) {
  return (
    <div ref={bar} className={classes.foot}>
      <FocusableButton type="submit" isDisabled={!isUnsaved && isDisabled} isBusy={isSaving}>
        Save
      </FocusableButton>
      {isUnsaved && (
        <Button variant="default" disabled={isSaving} onClick={onReset}>
          Reset
        </Button>
      )}
      <span className={classes.note} role="status">
        {isUnsaved && 'Not saved yet'}
      </span>
      {failure !== undefined && <p className={classes.failure}>{failure}</p>}
    </div>
  );
}
