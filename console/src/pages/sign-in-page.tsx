import { usePath } from '../lib/router.tsx';
import { NarrowPage } from '../parts/narrow-page.tsx';
import { SignInForm } from '../parts/sign-in-form.tsx';

const doors: readonly string[] = ['/', '/sign-in'];

export function SignInPage() {
  const isAtTheDoor = doors.includes(usePath());
  return (
    <NarrowPage title="Sign in">
      <SignInForm>
        {/* Who was sent to a page has an account; at the door may stand whoever has just installed the platform. */}
        {isAtTheDoor && (
          <details className="folded">
            <summary>Forgotten, or the first time here?</summary>
            <p className="hint">
              Whoever runs the platform sets another password with <code>npx lilac admin password set</code>, in the
              folder that Lilac was installed to. Where it has just been installed, the first account is made with the
              link that <code>npm start</code> prints in the terminal.
            </p>
            <p className="hint">
              In a stack of containers, a container of <code>front</code> does both: by{' '}
              <code>lilac admin password set</code> and <code>lilac admin owner create</code>.
            </p>
          </details>
        )}
      </SignInForm>
    </NarrowPage>
  );
}
