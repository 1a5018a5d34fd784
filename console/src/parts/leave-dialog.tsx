import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { guardLeaving } from '../lib/leaving.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

export interface LeaveQuestion {
  what: string;
  title?: string;
  /** On the button that leaves. */
  leaving?: string;
}

interface Asked {
  go: () => void;
  lost: readonly string[];
  /** What the question was when it was asked. */
  title: string;
}

/** While it is on the page, whoever goes elsewhere is asked first; the browser asks whoever closes or reloads it. */
export function LeaveDialog({
  what,
  title = 'Leave without saving?',
  leaving = 'Leave without saving',
}: LeaveQuestion) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const question = useEffectEvent(() => ({ what, title }));
  useEffect(() => {
    const ask = (go: () => void, lost: readonly string[]) => {
      setAsked({ go, lost, title: question().title });
      dialog.current?.showModal();
    };
    const isWithin = (outer: Element) => outer.contains(dialog.current!.parentElement);
    return guardLeaving({ what: () => question().what, ask, isWithin });
  }, []);
  // What was asked about is sent by now, or has come back.
  useEffect(() => {
    if (asked && asked.title !== title) dialog.current?.close();
  }, [asked, title]);
  const leave = () => {
    dialog.current?.close();
    asked?.go();
  };
  return (
    <Dialog dialog={dialog} title={title}>
      {asked?.lost.map((each) => (
        <p key={each} className="about">
          {each}
        </p>
      ))}
      <div className="actions">
        <Button look="primary" onClick={() => dialog.current?.close()}>
          Stay here
        </Button>
        <Button look="danger" onClick={leave}>
          {leaving}
        </Button>
      </div>
    </Dialog>
  );
}
