import { useCallback, useRef } from 'react';

export interface ReturningFocus {
  /** Of the button. */
  ref: (button: HTMLElement | null) => void;
  /** To be called when what took its place goes. */
  giveBack: () => void;
}

/** For a button whose place something else takes for a while: when it is there again it has the focus, as before. */
export function useReturningFocus(): ReturningFocus {
  const isAwaited = useRef(false);
  const ref = useCallback((button: HTMLElement | null) => {
    if (!button || !isAwaited.current) return;
    isAwaited.current = false;
    button.focus();
  }, []);
  const giveBack = useCallback(() => {
    isAwaited.current = true;
  }, []);
  return { ref, giveBack };
}
