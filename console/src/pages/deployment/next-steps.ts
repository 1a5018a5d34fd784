import type { DeploymentStage, SourceType } from '@lilac/contract/states';
import type { Deployment } from '../../lib/describe-deployment.ts';

/** A text, some of which leads to where it is done. */
export type Words = readonly (string | { text: string; href: string })[];

interface Situation {
  deployment: Pick<Deployment, 'status' | 'deployment_stage'>;
  applicationId: string;
  environmentId: string;
  source: SourceType;
  /** Something is served, whatever became of this one. */
  isServed: boolean;
  /** A later one was begun: what is to be done is told there. */
  isOvertaken: boolean;
}

/** What to do after one that failed or was stopped; nothing where there is nothing to do here. */
export function nextSteps({ deployment, source, isServed, isOvertaken, ...ids }: Situation): Words {
  const { status, deployment_stage: stage } = deployment;
  if (isOvertaken || (status !== 'failed' && status !== 'cancelled')) return [];
  const standing = isServed ? 'The previous version is still live.' : 'Nothing is served yet.';
  if (status === 'cancelled') return [`${standing} ${again[source]} when you are ready.`];
  return [`${standing} ${mend[source]}, or look at `, ...placesOf(stage, ids), '; then deploy it again.'];
}

const again: Record<SourceType, string> = {
  upload: 'Deploy it again, or upload a new version,',
  vcs: 'Deploy it again',
};

const mend: Record<SourceType, string> = {
  upload: 'Fix the project and upload a new version',
  vcs: 'Fix the project and push it',
};

type Ids = Pick<Situation, 'applicationId' | 'environmentId'>;

/** Of a program that was built, and then did not run as it should. */
const running: readonly DeploymentStage[] = ['starting', 'checking', 'routing', 'released'];

function placesOf(stage: DeploymentStage, { applicationId, environmentId }: Ids): Words {
  const at = (tab: string, text: string) => ({ text, href: `/environments/${environmentId}/${tab}` });
  const variables = at('variables', 'its variables');
  if (running.includes(stage))
    return [at('logs', 'what it wrote'), ', ', variables, ' and ', at('settings', 'its port')];
  if (stage === 'fetching') return [{ text: 'the repositories that are reached', href: '/repositories' }];
  // Its folder, its kind and its start command are told there, and that they stay as they are.
  if (stage === 'detecting') return [{ text: 'what it was created with', href: `/apps/${applicationId}/settings` }];
  return [at('settings', 'how it is built'), ' and ', variables];
}
