import type { OutputOf } from '../../lib/api-types.ts';
import { commitUrl, compareUrl } from '../../lib/commit-links.ts';
import { type Deployment, isMoving, nameDeployment, shortSha } from '../../lib/describe-deployment.ts';
import { durationBetween, formatDuration } from '../../lib/format-duration.ts';
import { Time } from '../../parts/time.tsx';

interface DeploymentAboutProps {
  deployment: Deployment;
  /** What the page is called: not said twice. */
  title: string;
  live: Deployment | null;
  application: OutputOf<'applications.get'> | undefined;
  environment: OutputOf<'environments.get'> | undefined;
}

/** Which commit, when, how long, and how it differs from what is served. */
export function DeploymentAbout({ deployment, title, live, application, environment }: DeploymentAboutProps) {
  const { commit_sha: sha, started_at, completed_at } = deployment;
  const subject = nameDeployment(deployment);
  const liveSha = live?.commit_sha;
  const compared = application && sha && liveSha ? compareUrl(application, { from: liveSha, to: sha }) : null;
  return (
    <ul className="deployment-facts">
      {sha && application && (
        <li>
          <CommitLink sha={sha} application={application} /> {subject !== title && subject}
        </li>
      )}
      {application?.source_type === 'upload' && <li>from an upload</li>}
      {environment?.vcs_branch && <li>branch {environment.vcs_branch}</li>}
      <li>
        started <Time at={started_at} />
      </li>
      {completed_at && !isMoving(deployment) && <li>took {formatDuration(tookMs(deployment, completed_at))}</li>}
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

/** A rollback is a run of its own: what counts is how long that took. */
function tookMs({ stages, started_at }: Deployment, completedAt: string): number {
  return durationBetween(stages[0]?.started_at ?? started_at, completedAt);
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
