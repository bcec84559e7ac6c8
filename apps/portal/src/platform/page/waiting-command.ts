import { createContext, type RefObject, useContext, useEffect, useEffectEvent } from 'react';

interface WaitingCommand {
  /** Name of a button in the command palette. */
  name: string;
  /** Called once, before the button is pressed. */
  onPress: () => void;
}

/** The command that a screen was opened for; null if there is none. */
export const WaitingCommandContext = createContext<WaitingCommand | null>(null);

/** Presses the button when the screen was opened for it. A button without a name waits for nothing. */
export function usePressByCommand(name: string | undefined, button: RefObject<HTMLButtonElement | null>): void {
  const waiting = useContext(WaitingCommandContext);
  const press = useEffectEvent(() => {
    waiting?.onPress();
    button.current?.focus({ preventScroll: true });
    button.current?.click();
  });
  const isWanted = waiting !== null && waiting.name === name;
  useEffect(() => {
    if (!isWanted) return;
    // After the effects of the new screen, one of which moves the focus.
    const timer = setTimeout(press);
    return () => clearTimeout(timer);
  }, [isWanted]);
}
