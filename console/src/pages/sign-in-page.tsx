import { NarrowPage } from '../parts/narrow-page.tsx';
import { SignInForm } from '../parts/sign-in-form.tsx';

export function SignInPage() {
  return (
    <NarrowPage title="Sign in">
      <SignInForm>
        <p className="hint">
          The first time? Open the set-up link that <code>npm start</code> printed in the terminal.
        </p>
      </SignInForm>
    </NarrowPage>
  );
}
