import { useEffect, useRef } from 'react';
import { guardLeaving } from '../lib/leaving.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

interface LeaveDialogProps {
  what: string;
  title?: string;
  /** On the button that leaves. */
  leaving?: string;
}

/** While it is on the page, whoever goes elsewhere is asked first; the browser asks whoever closes or reloads it. */
export function LeaveDialog({
  what,
  title = 'Leave without saving?',
  leaving = 'Leave and lose them',
}: LeaveDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const goOn = useRef<(() => void) | null>(null);
  const release = useRef(() => {});
  useEffect(() => {
    const keep = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', keep);
    const unguard = guardLeaving((go) => {
      goOn.current = go;
      dialog.current?.showModal();
    });
    release.current = () => {
      removeEventListener('beforeunload', keep);
      unguard();
    };
    return release.current;
  }, []);
  const leave = () => {
    release.current();
    dialog.current?.close();
    goOn.current?.();
  };
  return (
    <Dialog dialog={dialog} title={title}>
      <p className="about">{what}</p>
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
