import { Icon } from '../../parts/icon.tsx';
import { usePermission } from '../../shell/member-context.ts';
import { DeployButton } from '../application/deploy-button.tsx';
import type { TabProps } from './environment-page.tsx';
import { NewVersion } from './new-version.tsx';

/** Where it is, and what puts something new there. */
export function EnvironmentActions({ environment, application }: Pick<TabProps, 'environment' | 'application'>) {
  const isDeleting = environment.status === 'deleting';
  const mayDeploy = usePermission('update:projects') && !isDeleting;
  const isUpload = application.source_type === 'upload';
  const mayUpload = usePermission('create:projects') && isUpload;
  return (
    <>
      {environment.live_deployment_id && !isDeleting && (
        <a className="button env-open" href={environment.url} target="_blank" rel="noreferrer">
          Open <Icon name="out" />
          <span className="visually-hidden"> (opens a new tab)</span>
        </a>
      )}
      {mayDeploy && (
        <DeployButton environment={environment} isUpload={isUpload} look={mayUpload ? 'plain' : 'primary'} />
      )}
      {mayDeploy && mayUpload && <NewVersion environment={environment} />}
    </>
  );
}
