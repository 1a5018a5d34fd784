import { useEffect, useRef, useState } from 'react';
import { holdQuestions } from '../lib/leaving.ts';
import { NarrowPage } from './narrow-page.tsx';
import { SignInForm } from './sign-in-form.tsx';

/** Over everything, also over a dialog that was open: below stays what the person was doing. */
export function SignInAgain() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [titleBelow] = useState(() => document.title);
  const [focusedBelow] = useState(() => document.activeElement);
  useEffect(() => {
    dialog.current?.showModal();
    return () => {
      document.title = titleBelow;
      if (focusedBelow instanceof HTMLElement && focusedBelow.isConnected) focusedBelow.focus();
    };
  }, [titleBelow, focusedBelow]);
  // A question about what is unsaved would open beneath, where nobody sees it, and hold this.
  useEffect(holdQuestions, []);
  return (
    <dialog
      ref={dialog}
      className="sign-in-again"
      aria-label="Sign in again"
      onCancel={(event) => event.preventDefault()}
      onClose={(event) => event.target === event.currentTarget && event.currentTarget.showModal()}
    >
      <NarrowPage title="Sign in again" about="Your session has ended. What you were doing is still here.">
        <SignInForm />
      </NarrowPage>
    </dialog>
  );
}
