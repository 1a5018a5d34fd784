import { useEffect, useRef, useState } from 'react';
import { guardLeaving } from '../lib/leaving.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

interface LeaveDialogProps {
  what: string;
  title?: string;
  /** On the button that leaves. */
  leaving?: string;
}

interface Asked {
  go: () => void;
  lost: readonly string[];
}

/** While it is on the page, whoever goes elsewhere is asked first; the browser asks whoever closes or reloads it. */
export function LeaveDialog({
  what,
  title = 'Leave without saving?',
  leaving = 'Leave without saving',
}: LeaveDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  useEffect(() => {
    const ask = (go: () => void, lost: readonly string[]) => {
      setAsked({ go, lost });
      dialog.current?.showModal();
    };
    return guardLeaving({ what, ask });
  }, [what]);
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
