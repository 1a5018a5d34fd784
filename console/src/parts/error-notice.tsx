import { describeError } from '../lib/describe-error.ts';

export function ErrorNotice({ error }: { error: unknown }) {
  if (error === null || error === undefined) return null;
  const { message, reference } = describeError(error);
  return (
    <p className="notice notice-error" role="alert">
      {message} {reference && <code className="reference">{reference}</code>}
    </p>
  );
}
