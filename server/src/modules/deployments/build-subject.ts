import type { Config } from '../../config.ts';
import type { DeploymentRow } from '../../db/schema.ts';
import { BuildFailed, type BuildRequest } from '../../build/builder.ts';
import type { BuildSettings } from '../../build/plan.ts';
import type { Keyring } from '../../secrets/keyring.ts';
import type { Repository } from '../../vcs/git/repository.ts';
import type { DatabaseLinks } from '../databases/links/link-store.ts';
import { openVariables } from '../environments/variables.ts';
import type { HeldEnvironment } from './deployment-store.ts';

/** One deployment as it was when its build began. */
export interface BuildSubject extends HeldEnvironment {
  deployment: DeploymentRow;
  /** Where the archive lies; null where the source is a repository. */
  storagePath: string | null;
  databaseLinks: DatabaseLinks;
  /** An earlier attempt was interrupted. */
  isAgain: boolean;
}

export interface RequestDeps {
  keyring: Keyring;
  config: Pick<Config, 'builds' | 'home'>;
  /** The repository an application is built from, with what opens it for the application's organisation. */
  repositoryOf(application: BuildSubject['application']): Promise<Repository>;
}

/** `addresses` are those of the databases that the environment is connected to. */
export async function buildRequestOf(
  deps: RequestDeps,
  subject: BuildSubject,
  addresses: Readonly<Record<string, string>>,
): Promise<BuildRequest> {
  const { deployment, environment } = subject;
  return {
    deploymentId: deployment.id,
    organisationId: deployment.organisation_id,
    environmentId: environment.id,
    source: await sourceOf(deps, subject),
    settings: settingsOf(subject),
    variables: { ...openVariables(deps.keyring, environment), ...addresses },
  };
}

async function sourceOf(deps: RequestDeps, subject: BuildSubject): Promise<BuildRequest['source']> {
  const { storagePath, deployment, application } = subject;
  if (storagePath) return { kind: 'upload', storagePath };
  if (deployment.vcs_branch === null) throw new BuildFailed('The archive is no longer there. Upload it again.');
  return { kind: 'git', repository: await deps.repositoryOf(application), branch: deployment.vcs_branch };
}

/** The environment's own settings win over the application's; what neither has is detected. */
export function settingsOf({ environment, application }: HeldEnvironment): BuildSettings {
  return {
    deploymentType: application.deployment_type,
    framework: application.is_framework_given ? application.framework : null,
    runtime: application.is_runtime_given ? application.runtime : null,
    rootDirectory: application.root_directory,
    buildCommand: environment.build_command ?? application.build_command,
    outputDirectory: environment.output_directory ?? application.output_directory,
    startCommand: application.start_command,
    containerPort: environment.container_port ?? application.container_port,
  };
}
