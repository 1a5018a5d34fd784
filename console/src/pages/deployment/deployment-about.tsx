import type { OutputOf } from '../../lib/api-types.ts';
import { commitUrl, compareUrl } from '../../lib/commit-links.ts';
import { comparedWith } from '../../lib/compared-with.ts';
import { type Deployment, shortSha } from '../../lib/describe-deployment.ts';
import { formatDuration } from '@lilac/contract/format-duration';
import { tookMs } from '../../lib/runs-of.ts';
import { Time } from '../../parts/time.tsx';
import { Name } from '../../parts/name.tsx';

interface DeploymentAboutProps {
  deployment: Deployment;
  live: Deployment | null;
  /** Those of its environment. */
  others: readonly Deployment[];
  application: OutputOf<'applications.get'> | undefined;
  environment: OutputOf<'environments.get'> | undefined;
  /** And by whom; null where that is not told. */
  why: string | null;
}

/** Which commit, when, how long, why, and how it differs from what is served. */
export function DeploymentAbout({ deployment, live, others, application, environment, why }: DeploymentAboutProps) {
  const { commit_sha: sha, started_at, upload_name } = deployment;
  const took = tookMs(deployment);
  const compared = comparedWith(deployment, { live, others });
  const comparedUrl = application && compared && compareUrl(application, compared);
  return (
    <ul className="deployment-facts">
      {sha && application && (
        <li>
          <CommitLink sha={sha} application={application} />
        </li>
      )}
      {!upload_name && environment?.vcs_branch && (
        <li>
          branch <Name of={environment.vcs_branch} />
        </li>
      )}
      <li>
        started <Time at={started_at} />
      </li>
      {took !== null && <li>took {formatDuration(took)}</li>}
      {why && <li>{why.slice(0, 1).toLowerCase() + why.slice(1)}</li>}
      {comparedUrl && (
        <li>
          <a href={comparedUrl} target="_blank" rel="noreferrer">
            {compared.say}
          </a>
        </li>
      )}
    </ul>
  );
}

function CommitLink({ sha, application }: { sha: string; application: OutputOf<'applications.get'> }) {
  const url = commitUrl(application, sha);
  const short = <code>{shortSha(sha)}</code>;
  if (!url) return short;
  return (
    <a href={url} target="_blank" rel="noreferrer" aria-label={`Commit ${shortSha(sha)} at its host`}>
      {short}
    </a>
  );
}
