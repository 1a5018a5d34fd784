import { useRef, useState } from 'react';
import { isSameName, visibleName } from '../lib/visible-name.ts';
import { useAction } from '../lib/use-action.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorNotice } from './error-notice.tsx';
import { Field } from './field.tsx';

interface TypedConfirmButtonProps {
  action: string;
  /** What has to be typed: its name. */
  name: string;
  consequence: string;
  onConfirm: () => Promise<unknown>;
}

/** For what takes data with it: whoever does it has read which. */
export function TypedConfirmButton({ action, name, consequence, onConfirm }: TypedConfirmButtonProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState('');
  const { run, isBusy, error, forget } = useAction(onConfirm);
  const shown = visibleName(name);
  const isTyped = isSameName(typed, shown);
  const close = () => {
    setTyped('');
    forget();
  };
  const confirm = async () => {
    if (isTyped && (await run())) dialog.current?.close();
  };
  return (
    <>
      <Button look="danger" onClick={() => dialog.current?.showModal()} aria-label={`${action} ${shown}`}>
        {action}
      </Button>
      <Dialog dialog={dialog} title={`${action} ${shown}?`} onClose={close}>
        <p className="about">{consequence}</p>
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault();
            void confirm();
          }}
        >
          <Field
            label={`Type ${shown} to confirm`}
            name="confirmation"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            autoComplete="off"
            spellCheck={false}
          />
          <ErrorNotice error={error} />
          <div className="actions">
            <Button type="submit" look="danger" isBusy={isBusy} disabled={!isTyped}>
              {action}
            </Button>
            <Button onClick={() => dialog.current?.close()}>Cancel</Button>
          </div>
        </form>
      </Dialog>
    </>
  );
}
