import { useState } from 'react';
import { changesOf } from './changes-of.ts';

/**
 * Settings that are saved, and what somebody has changed of them here. Only that is to be sent: a colleague may have
 * changed the rest meanwhile, and what nobody has touched here follows it.
 */
export function useEdited<T extends object>(saved: T) {
  const [told, setTold] = useState(saved);
  const [known, setKnown] = useState(saved);
  const [edited, setEdited] = useState<Partial<T>>({});
  if (JSON.stringify(saved) !== JSON.stringify(told)) {
    setTold(saved);
    setKnown(saved);
  }
  const changes = changesOf(known, edited);
  return {
    values: { ...known, ...edited },
    changes,
    isChanged: Object.keys(changes).length > 0,
    edit: (change: Partial<T>) => setEdited((before) => ({ ...before, ...change })),
    /** What was sent is saved now; what was typed meanwhile is not. */
    settle: (sent: Partial<T>) => {
      setKnown((before) => ({ ...before, ...sent }));
      setEdited((before) => changesOf(sent, before));
    },
  };
}
