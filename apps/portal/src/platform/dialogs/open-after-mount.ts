import { useEffect, useState } from 'react';

/**
 * `opened`, but never in the first render: a dialog that is mounted open would not know which element had the focus, and could
 * not restore it.
 */
export function useOpenAfterMount(opened: boolean): boolean {
  const [isShown, setShown] = useState(false);
  useEffect(() => setShown(opened), [opened]);
  return isShown;
}
