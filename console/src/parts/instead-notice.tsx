import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { isLostByLeaving } from '../lib/leaving.ts';

/**
 * In the place of fields that may go under somebody's hands: whoever was in one of them is not thrown back to the top,
 * but hears why.
 */
export function InsteadNotice({ children }: { children: ReactNode }) {
  const notice = useRef<HTMLParagraphElement>(null);
  // Looked at while what it takes the place of is still there.
  const [isTypedLost] = useState(isLostByLeaving);
  useLayoutEffect(() => {
    if (document.activeElement === document.body) notice.current?.focus({ preventScroll: true });
  }, []);
  return (
    <p ref={notice} tabIndex={-1} className="notice">
      {children}
      {isTypedLost && ' What you had typed is not saved.'}
    </p>
  );
}
