import { Link } from '../../../lib/router.tsx';
import type { TabProps } from '../environment-page.tsx';

type FactsProps = Pick<TabProps, 'environment' | 'application'> & { instances: number | null };

export function EnvironmentFacts({ environment, application, instances }: FactsProps) {
  const { id, url, custom_domain, vcs_branch, live_deployment_id, password_protected } = environment;
  return (
    <dl className="facts">
      <dt>Address</dt>
      <dd className="break">
        <a href={url} target="_blank" rel="noreferrer">
          {url.replace(/^https?:\/\//, '')}
          <span className="visually-hidden"> (opens a new tab)</span>
        </a>
        {password_protected && ' · asks for a password'}
      </dd>
      {custom_domain && (
        <>
          <dt>Domain</dt>
          <dd className="break">
            <Link href={`/environments/${id}/domain`}>{custom_domain}</Link>
          </dd>
        </>
      )}
      {vcs_branch && (
        <>
          <dt>{application.source_type === 'upload' ? 'Label' : 'Branch'}</dt>
          <dd className="break">
            {vcs_branch}
            {environment.auto_deploy && ' · deployed on every push'}
          </dd>
        </>
      )}
      <dt>Served</dt>
      <dd>
        {live_deployment_id ? (
          <Link href={`/deployments/${live_deployment_id}`}>the live deployment</Link>
        ) : (
          'nothing yet'
        )}
      </dd>
      {application.deployment_type === 'container' && (
        <>
          <dt>Instances</dt>
          <dd>
            {instances === null ? 'not counted yet' : `${Math.ceil(instances)} now`} · {environment.min_instances} to{' '}
            {environment.max_instances} allowed
          </dd>
        </>
      )}
    </dl>
  );
}
