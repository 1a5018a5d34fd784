import type { OutputOf } from '../../lib/api-types.ts';
import { setAside } from '../../lib/describe-deployment.ts';
import { inConsoleWords } from '../../lib/in-console-words.ts';
import { lastTried } from '../../lib/last-tried.ts';
import { paceOfDeployments } from '../../lib/news-pace.ts';
import { ALL_DEPLOYMENTS } from '../../lib/rollback.ts';
import { Link } from '../../lib/router.tsx';
import { useCall } from '../../lib/use-call.ts';
import { useLiveDeployment } from '../../lib/use-live-deployment.ts';
import { Badge } from '../../parts/badge.tsx';
import { Icon } from '../../parts/icon.tsx';
import { LinkedWords } from '../../parts/linked-words.tsx';
import { ServedAndNewest } from '../../parts/served-and-newest.tsx';
import { StandingBadge } from '../../parts/standing-badge.tsx';
import { useMember, usePermission } from '../../shell/member-context.ts';
import { DeployButton } from './deploy-button.tsx';
import { Name } from '../../parts/name.tsx';
import { showMarks } from '../../lib/visible-name.ts';

type Environment = OutputOf<'environments.list'>[number];

export function EnvironmentRow({ environment, isUpload }: { environment: Environment; isUpload: boolean }) {
  const { id, name, is_production, status, vcs_branch, trouble } = environment;
  // Production is deployed from the head of the page.
  const mayDeploy = usePermission('update:projects') && status !== 'deleting' && !is_production;
  return (
    <li className="row env-row" aria-label={showMarks(name)}>
      <div className="env-row-name">
        <div className="env-row-title">
          <Link href={`/environments/${id}`} className="env-row-link">
            <Name of={name} />
          </Link>
          <StandingBadge status={status} />
          {is_production && name !== 'production' && <Badge>production</Badge>}
        </div>
        <Address environment={environment} />
        {vcs_branch && !isUpload && (
          <p className="meta env-row-branch">
            <Icon name="branch" />{' '}
            <span className="break">
              <Name of={vcs_branch} />
            </span>
          </p>
        )}
      </div>
      <Deployments environment={environment} />
      {mayDeploy && <DeployButton {...{ environment, isUpload }} />}
      {trouble && (
        <p className="notice notice-warning row-more">
          <LinkedWords text={inConsoleWords(trouble)} />
        </p>
      )}
    </li>
  );
}

/** One that is being deleted has none any more. */
function Address({ environment: { status, url, live_deployment_id } }: { environment: Environment }) {
  if (status === 'deleting') return <span className="env-row-url meta">Its address is given up.</span>;
  const shown = url.replace(/^https?:\/\//, '');
  if (!live_deployment_id) return <span className="env-row-url meta break">{shown}</span>;
  return (
    <a className="env-row-url url-out break" href={url} target="_blank" rel="noreferrer">
      {shown}
      <Icon name="out" />
      <span className="visually-hidden"> (opens a new tab)</span>
    </a>
  );
}

/** What is served, and the newest where that is another. */
function Deployments({ environment: { id, live_deployment_id } }: { environment: Environment }) {
  const targetOrganisationId = useMember().organisation.id;
  const body = { targetOrganisationId, environmentId: id, limit: ALL_DEPLOYMENTS };
  const { data } = useCall('deployments.list', { body }, { refreshMs: paceOfDeployments });
  const live = useLiveDeployment(data, live_deployment_id);
  if (!data) return <span />;
  return <ServedAndNewest {...{ live, newest: lastTried(data), isRolledBack: setAside(data) !== null }} />;
}
