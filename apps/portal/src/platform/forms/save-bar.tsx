import { Button } from '@mantine/core';
import { type RefObject, useRef } from 'react';
import { FocusableButton } from './focusable-button.tsx';
import sheet from './save-form.module.css';

interface SaveBarProps {
  /** The bar, for a form that returns the focus to Save. */
  bar?: RefObject<HTMLDivElement | null>;
  isUnsaved: boolean;
  /** Whether there is something to save; what is unsaved, unless the form knows more. */
  canSave?: boolean;
  isBusy: boolean;
  /** Why the last attempt failed. */
  failure: string | undefined;
  onReset: () => void;
}

/** Saves or resets a form that is saved as a whole, and shows why saving failed. */
export function SaveBar({ isUnsaved, canSave = isUnsaved, isBusy, failure, onReset, ...props }: SaveBarProps) {
  const own = useRef<HTMLDivElement>(null);
  const bar = props.bar ?? own;
  const reset = () => {
    onReset();
    // The Reset button disappears, so Save takes the focus.
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
