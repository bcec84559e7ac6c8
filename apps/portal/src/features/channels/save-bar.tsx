import { Button } from '@mantine/core';
import type { Ref } from 'react';
import classes from '#platform/forms/save-form.module.css';
import { SteadyButton } from '#platform/forms/steady-button.tsx';

interface SaveBarProps {
  bar: Ref<HTMLDivElement>;
  saving: { isSaving: boolean; failure: string | undefined };
  isUnsaved: boolean;
  /** Without a change of the person's there is nothing to save either. */
  isOff: boolean;
  onReset: () => void;
}

/** Saves the form or lets go of what was entered, and says why saving failed. */
export function SaveBar({ bar, saving: { isSaving, failure }, isUnsaved, isOff, onReset }: SaveBarProps) {
  return (
    <div ref={bar} className={classes.foot}>
      <SteadyButton type="submit" isOff={!isUnsaved && isOff} isBusy={isSaving}>
        Save
      </SteadyButton>
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
