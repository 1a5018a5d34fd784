import type { OutputOf } from '../../lib/api-types.ts';
import type { Deployment } from '../../lib/describe-deployment.ts';
import { Link } from '../../lib/router.tsx';
import { usePermission } from '../../shell/member-context.ts';
import { nextSteps } from './next-steps.ts';

interface DeploymentWayOnProps {
  deployment: Deployment;
  environment: OutputOf<'environments.get'>;
  application: OutputOf<'applications.get'>;
  newestId: string | undefined;
}

/** For who may do it. */
export function DeploymentWayOn({ deployment, environment, application, newestId }: DeploymentWayOnProps) {
  const mayChange = usePermission('update:projects');
  const words = nextSteps({
    deployment,
    applicationId: application.id,
    environmentId: environment.id,
    source: application.source_type,
    isServed: environment.live_deployment_id !== null,
    isOvertaken: newestId !== deployment.id,
  });
  if (!mayChange || words.length === 0) return null;
  return (
    <p>
      {words.map((word) =>
        typeof word === 'string' ? (
          word
        ) : (
          <Link key={word.href} href={word.href} className="deployment-way">
            {word.text}
          </Link>
        ),
      )}
    </p>
  );
}
