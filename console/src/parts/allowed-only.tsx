import { type ReactNode, useState } from 'react';
import { isLostByLeaving } from '../lib/leaving.ts';

interface AllowedOnlyProps {
  isAllowed: boolean;
  /** Said to whoever is not. */
  notice: string;
  children: ReactNode;
}

/**
 * What only some roles may change. A role can be taken away and given back while somebody types: what is unsaved then
 * stays, shut, beneath the notice. Who leaves it is asked as ever: browsers keep a modal dialog open to its person,
 * however much is inert around it.
 */
export function AllowedOnly({ isAllowed, notice, children }: AllowedOnlyProps) {
  const [known, setKnown] = useState({ isAllowed, isKept: false });
  if (known.isAllowed !== isAllowed) setKnown({ isAllowed, isKept: !isAllowed && isLostByLeaving() });
  return (
    <>
      {!isAllowed && (
        <p className="notice" role="status">
          {notice}
          {known.isKept && ' What you typed is kept below, for when your role lets you again.'}
        </p>
      )}
      {(isAllowed || known.isKept) && (
        <div className="allowed-only" inert={!isAllowed}>
          {children}
        </div>
      )}
    </>
  );
}
