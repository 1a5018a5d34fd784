import { HEALTH_PATH } from './health-path.ts';
import type { Subject } from './subject.ts';

/**
 * What an instance finds in its environment, but for what only the runtime knows (`PORT`, `PATH`, `HOME`).
 * The deployment's variables arrive byte for byte and win over all but what is the platform's to say.
 */
export function instanceEnvironment(
  { deployment, environment, application, url }: Subject,
  instanceId: string,
): Record<string, string> {
  const { run, variables, commitSha, branch } = deployment;
  const own = Object.entries(variables).filter(([name]) => !isPlatforms(name));
  return {
    HOST: '0.0.0.0',
    LANG: 'C.UTF-8',
    TMPDIR: '/tmp',
    NODE_ENV: 'production',
    ...run.variables,
    ...Object.fromEntries(own),
    LILAC_ENVIRONMENT: environment.name,
    LILAC_ENVIRONMENT_ID: environment.id,
    LILAC_APPLICATION: application.name,
    LILAC_URL: url,
    LILAC_DEPLOYMENT_ID: deployment.id,
    LILAC_INSTANCE_ID: instanceId,
    ...(commitSha === null ? {} : { LILAC_COMMIT_SHA: commitSha }),
    ...(branch === null ? {} : { LILAC_BRANCH: branch }),
  };
}

/** Names whose values are the platform's, whatever a person has set. */
export function isPlatforms(name: string): boolean {
  return ['PORT', 'PATH', 'HOME'].includes(name) || (name.startsWith('LILAC_') && name !== HEALTH_PATH);
}
