import type { DeploymentType } from '@lilac/contract/states';
import { nameFramework } from './name-framework.ts';

/** As it was asked for when the application was made. */
export const kindNames: Record<DeploymentType, string> = { static: 'A site of files', container: 'A server' };

interface Kind {
  framework: string;
  deployment_type: DeploymentType;
}

/** What an application has before a build has found out (`react` is the API's), and what says no more than its kind. */
const saidNothing: ReadonlySet<string> = new Set(['react', 'static', 'html', 'other', 'container', '']);

/** "Next.js · a server". What a build did not find out yet is left out. */
export function describeKind({ framework, deployment_type }: Kind): string {
  const kind = kindNames[deployment_type];
  return saidNothing.has(framework) ? kind : `${nameFramework(framework)} · ${kind.toLowerCase()}`;
}
