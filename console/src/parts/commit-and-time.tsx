import { shortSha } from '../lib/describe-deployment.ts';
import { Time } from './time.tsx';

/** Of what, where that is known, and when. */
export function CommitAndTime({ sha, at }: { sha: string | null; at: string }) {
  return (
    <>
      {sha && (
        <>
          <code>{shortSha(sha)}</code>
          {' · '}
        </>
      )}
      <Time at={at} />
    </>
  );
}
