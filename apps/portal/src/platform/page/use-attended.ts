import { useEffect, useState } from 'react';

/** Milliseconds without a key or pointer after which a screen counts as unattended. */
const UNATTENDED_MS = 5 * 60_000;
const INPUTS = ['pointerdown', 'keydown'] as const;

/** A screen polls only while somebody uses it. Its calls would otherwise keep the session of an unattended computer alive. */
export function useAttended(): boolean {
  const [isAttended, setAttended] = useState(true);
  useEffect(() => {
    const leave = () => setAttended(false);
    let timer = setTimeout(leave, UNATTENDED_MS);
    const onInput = () => {
      clearTimeout(timer);
      timer = setTimeout(leave, UNATTENDED_MS);
      setAttended(true);
    };
    for (const name of INPUTS) window.addEventListener(name, onInput, { passive: true });
    return () => {
      clearTimeout(timer);
      for (const name of INPUTS) window.removeEventListener(name, onInput);
    };
  }, []);
  return isAttended;
}
