import { describeError } from '../lib/describe-error.ts';
import { hasCode } from '../lib/has-code.ts';
import { Refusal } from '../lib/refusal.ts';
import { useSession } from '../session/use-session.ts';
import { LinkedWords } from './linked-words.tsx';

const SIGNED_IN_SINCE = 'You were signed out, and nothing was done. You are signed in again: repeat what you did.';

export function ErrorNotice({ error }: { error: unknown }) {
  const { status } = useSession();
  if (error === null || error === undefined) return null;
  const { message, reference } = describeError(
    status === 'signed-in' && hasCode(error, 'CA001') ? new Refusal(SIGNED_IN_SINCE) : error,
  );
  return (
    <p className="notice notice-error" role="alert">
      <LinkedWords text={message} /> {reference && <code className="reference">{reference}</code>}
    </p>
  );
}
