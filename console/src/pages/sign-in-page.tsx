import { usePath } from '../lib/router.tsx';
import { NarrowPage } from '../parts/narrow-page.tsx';
import { SignInForm } from '../parts/sign-in-form.tsx';

const doors: readonly string[] = ['/', '/sign-in'];

export function SignInPage() {
  const isAtTheDoor = doors.includes(usePath());
  return (
    <NarrowPage title="Sign in">
      <SignInForm>
        {/* Who was sent to a page of the console has an account; at the door may stand whoever has just installed it. */}
        {isAtTheDoor && (
          <p className="hint">
            The first time? Open the set-up link that <code>npm start</code> printed in the terminal. Forgotten? Whoever
            runs the platform sets another password with <code>lilac admin password set</code>.
          </p>
        )}
      </SignInForm>
    </NarrowPage>
  );
}
