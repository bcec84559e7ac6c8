import { Button } from '@mantine/core';
import type { Ref } from 'react';
import { FocusableButton } from '#platform/forms/focusable-button.tsx';
import classes from '#platform/forms/save-form.module.css';

interface SaveBarProps {
  bar: Ref<HTMLDivElement>;
  saving: { isSaving: boolean; failure: string | undefined };
  isUnsaved: boolean;
  /** There is nothing to save even without changes. */
  isDisabled: boolean;
  onReset: () => void;
}

/** Saves or resets the form, and shows why saving failed. */
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
        {isUnsaved && 'Unsaved changes'}
      </span>
      {failure !== undefined && <p className={classes.failure}>{failure}</p>}
    </div>
  );
}
