import { useEffect, useState } from 'react';

/**
 * `opened`, but never at the first drawing: a dialog that is born open would not know which part of the page had the
 * focus, and could not give it back.
 */
export function useOpenAfterMount(opened: boolean): boolean {
  const [isShown, setShown] = useState(false);
  useEffect(() => setShown(opened), [opened]);
  return isShown;
}
