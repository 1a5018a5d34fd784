import { type ReactNode, useState } from 'react';
import { browserSession } from '../session/browser-session.ts';
import { requestSignIn } from '../session/request-sign-in.ts';
import { Button } from './button.tsx';
import { Field } from './field.tsx';
import { Form, type FormValues } from './form.tsx';
import { PasswordField } from './password-field.tsx';

interface SignInFormProps {
  /** Whose password is asked for, where that is known. */
  email?: string;
  /** Below the first step. */
  children?: ReactNode;
}

/** Password first, then the code of an account that has a second factor. */
export function SignInForm({ email, children }: SignInFormProps) {
  const [pendingToken, setPendingToken] = useState<string | null>(null);
  const signIn = async (values: FormValues) => {
    const answer = await requestSignIn({ email: email ?? values['email']!.trim(), password: values['password']! });
    if ('token' in answer) await browserSession.adopt(answer.token);
    else setPendingToken(answer.pendingToken);
  };
  if (pendingToken) return <CodeForm pendingToken={pendingToken} onBack={() => setPendingToken(null)} />;
  return (
    <>
      <Form label="Sign in" submit="Sign in" onSubmit={signIn}>
        <Field
          label="E-mail"
          name="email"
          type="email"
          autoComplete="username"
          required
          autoFocus={!email}
          defaultValue={email}
          readOnly={Boolean(email)}
        />
        <PasswordField
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          autoFocus={Boolean(email)}
        />
      </Form>
      {children}
    </>
  );
}

const APP_HINT = 'The six digits of your authenticator app.';
const RECOVERY_HINT = 'One of the recovery codes that you kept. Each works once.';

function CodeForm({ pendingToken, onBack }: { pendingToken: string; onBack: () => void }) {
  const confirm = async ({ code }: FormValues) => {
    const { token } = await browserSession.call('auth.login.mfa', { body: { pendingToken, code: code!.trim() } });
    await browserSession.adopt(token);
  };
  const [isRecovering, setRecovering] = useState(false);
  return (
    <Form label="Second factor" submit="Continue" onSubmit={confirm} actions={<Button onClick={onBack}>Back</Button>}>
      {/* Made anew, so that phones change their keyboard: the one for digits has no letters. Either code is taken. */}
      <Field
        key={isRecovering ? 'recovery' : 'app'}
        label="Code"
        name="code"
        hint={isRecovering ? RECOVERY_HINT : APP_HINT}
        inputMode={isRecovering ? 'text' : 'numeric'}
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        required
        autoFocus
      />
      <div className="actions">
        <Button look="quiet" onClick={() => setRecovering(!isRecovering)}>
          {isRecovering ? 'Use the app’s code' : 'Use a recovery code'}
        </Button>
      </div>
    </Form>
  );
}
