import { Button } from '@mantine/core';
import { type RefObject, useRef } from 'react';
import { FocusableButton } from './focusable-button.tsx';
import sheet from './save-form.module.css';

interface SaveBarProps {
  /** A form that returns the focus to Save needs the bar. */
  bar?: RefObject<HTMLDivElement | null>;
  isUnsaved: boolean;
  /** Defaults to `isUnsaved`. */
  canSave?: boolean;
  isBusy: boolean;
  /** The reason why the last attempt failed. */
  failure: string | undefined;
  onReset: () => void;
}

/** For a form that is saved as a whole. */
export function SaveBar({ isUnsaved, canSave = isUnsaved, isBusy, failure, onReset, ...props }: SaveBarProps) {
  const own = useRef<HTMLDivElement>(null);
  const bar = props.bar ?? own;
  const reset = () => {
    onReset();
    // The Reset button disappears, so Save gets the focus.
    bar.current?.querySelector('button')?.focus();
  };
  return (
    <div ref={bar} className={sheet.foot}>
      <FocusableButton type="submit" isDisabled={!canSave} isBusy={isBusy}>
        Save
      </FocusableButton>
      {isUnsaved && (
        <Button variant="default" disabled={isBusy} onClick={reset}>
          Reset
        </Button>
      )}
      <span className={sheet.note} role="status">
        {isUnsaved && 'Unsaved changes'}
      </span>
      {failure !== undefined && <p className={sheet.failure}>{failure}</p>}
    </div>
  );
}
