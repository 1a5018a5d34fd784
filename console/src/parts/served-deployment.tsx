import { type Deployment, nameAmong, shortSha } from '../lib/describe-deployment.ts';
import { Time } from './time.tsx';

interface ServedDeploymentProps {
  deployment: Deployment;
  /** What it must not be taken for. */
  besides: readonly Deployment[];
}

/** What visitors get, by name, commit and time. */
export function ServedDeployment({ deployment, besides }: ServedDeploymentProps) {
  const { commit_sha: sha, started_at } = deployment;
  return (
    <>
      <span className="break">{nameAmong(deployment, besides)}</span>
      <br />
      <span className="meta">
        {sha && (
          <>
            <code>{shortSha(sha)}</code>
            {' · '}
          </>
        )}
        deployed <Time at={started_at} />
      </span>
    </>
  );
}
