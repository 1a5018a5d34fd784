import type { DeploymentType } from '@lilac/contract/states';
import { nameFramework } from './name-framework.ts';

/** As it was asked for when the application was made. */
export const kindNames: Record<DeploymentType, string> = { static: 'A site of files', container: 'A server' };

interface Kind {
  framework: string;
  deployment_type: DeploymentType;
}

/** "Next.js · a server". What a build did not find out yet is left out. */
export function describeKind({ framework, deployment_type }: Kind): string {
  const kind = kindNames[deployment_type];
  const isSaid = ['static', 'html', 'other', 'container', ''].includes(framework);
  return isSaid ? kind : `${nameFramework(framework)} · ${kind.toLowerCase()}`;
}
