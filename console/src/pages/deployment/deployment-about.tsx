import type { OutputOf } from '../../lib/api-types.ts';
import { commitUrl, compareUrl } from '../../lib/commit-links.ts';
import { type Deployment, shortSha } from '../../lib/describe-deployment.ts';
import { formatDuration } from '../../lib/format-duration.ts';
import { tookMs } from '../../lib/runs-of.ts';
import { Time } from '../../parts/time.tsx';
import { Name } from '../../parts/name.tsx';

interface DeploymentAboutProps {
  deployment: Deployment;
  live: Deployment | null;
  application: OutputOf<'applications.get'> | undefined;
  environment: OutputOf<'environments.get'> | undefined;
  /** And by whom; null where that is not told. */
  why: string | null;
}

/** Which commit, when, how long, why, and how it differs from what is served. */
export function DeploymentAbout({ deployment, live, application, environment, why }: DeploymentAboutProps) {
  const { commit_sha: sha, started_at, upload_name } = deployment;
  const took = tookMs(deployment);
  const compared = application && live ? compareUrl(application, inOrder(deployment, live)) : null;
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
      {compared && !deployment.is_live && (
        <li>
          <a href={compared} target="_blank" rel="noreferrer">
            Compare with what is live
          </a>
        </li>
      )}
    </ul>
  );
}

/** Hosts show what came after one commit, up to another: nothing, where the later one is named first. */
function inOrder(...both: [Deployment, Deployment]): { from: string | null; to: string | null } {
  const [earlier, later] = both.toSorted((one, other) => Date.parse(one.started_at) - Date.parse(other.started_at));
  return { from: earlier!.commit_sha, to: later!.commit_sha };
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
