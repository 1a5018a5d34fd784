import { type Deployment, nameDeployment } from '../../../lib/describe-deployment.ts';
import { Link } from '../../../lib/router.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { Time } from '../../../parts/time.tsx';
import { environmentLabel } from '../../application/environment-address.ts';
import type { DomainState } from '../../domains/domain-state.ts';
import { DatabaseFacts } from '../databases/database-facts.tsx';
import type { TabProps } from '../environment-page.tsx';
import { DomainFact } from './domain-fact.tsx';
import { sayInstances } from './say-instances.ts';
import { Name } from '../../../parts/name.tsx';

interface FactsProps extends Pick<TabProps, 'environment' | 'application'> {
  instances: number | null;
  live: Deployment | null;
  domain: DomainState | undefined;
}

export function EnvironmentFacts({ environment, application, instances, live, domain }: FactsProps) {
  const { id, status, url, custom_domain, vcs_branch, live_deployment_id, password_protected } = environment;
  const isMadeUp = application.source_type === 'upload' && vcs_branch === environmentLabel(environment.name);
  return (
    <dl className="facts">
      <dt>Address</dt>
      <dd className="break">
        {status === 'deleting' ? (
          'given up'
        ) : live_deployment_id ? (
          <a className="url-out" href={url} target="_blank" rel="noreferrer">
            {url.replace(/^https?:\/\//, '')}
            <Icon name="out" />
            <span className="visually-hidden"> (opens a new tab)</span>
          </a>
        ) : (
          `${url.replace(/^https?:\/\//, '')}, once something is served`
        )}
        {password_protected && ' · asks for a password'}
      </dd>
      {custom_domain && (
        <>
          <dt>Domain</dt>
          <dd className="break">
            <DomainFact environmentId={id} domain={custom_domain} state={domain} />
          </dd>
        </>
      )}
      {vcs_branch && !isMadeUp && (
        <>
          <dt>{application.source_type === 'upload' ? 'Label' : 'Branch'}</dt>
          <dd className="break">
            <Name of={vcs_branch} />
            {environment.auto_deploy && application.source_type === 'vcs' && <Pushes application={application} />}
          </dd>
        </>
      )}
      <DatabaseFacts environmentId={id} />
      <dt>Served</dt>
      <dd className="break">
        {live ? (
          <>
            <Link href={`/deployments/${live.id}`}>
              <Name of={nameDeployment(live)} />
            </Link>{' '}
            · deployed <Time at={live.started_at} />
          </>
        ) : (
          !live_deployment_id && 'nothing yet'
        )}
      </dd>
      {application.deployment_type === 'container' && (
        <>
          <dt>Instances</dt>
          <dd>{sayInstances(live_deployment_id ? instances : null, environment)}</dd>
        </>
      )}
    </dl>
  );
}

/** Why not is told on the application's page. */
function Pushes({ application: { id, push_status } }: Pick<TabProps, 'application'>) {
  if (push_status !== 'failed') return ' · deployed on every push';
  return (
    <>
      {' · '}
      <Link href={`/apps/${id}`}>pushes are not deployed</Link>
    </>
  );
}
