import type { DeploymentType } from '@lilac/contract/states';
import type { ApplicationRow } from '../../db/schema.ts';
import { assertFramework } from '../catalogue/frameworks.ts';
import { readDirectory } from '../environments/directory.ts';

export interface GivenProject {
  deploymentType: DeploymentType;
  framework?: string;
  runtime?: string;
  buildCommand?: string;
  outputDirectory?: string;
  startCommand?: string;
  rootDirectory?: string;
}

export type ProjectColumns = Pick<
  ApplicationRow,
  | 'deployment_type'
  | 'framework'
  | 'is_framework_given'
  | 'runtime'
  | 'is_runtime_given'
  | 'build_command'
  | 'output_directory'
  | 'start_command'
  | 'root_directory'
>;

/** Shown until detection has looked. */
const DEFAULT_FRAMEWORK = 'react';

/** How the project is built and run, where the caller has said so. The rest is null: detected. */
export function readProjectSettings(given: GivenProject): ProjectColumns {
  const { framework, outputDirectory, rootDirectory } = given;
  if (framework !== undefined) assertFramework('framework', framework);
  return {
    deployment_type: given.deploymentType,
    framework: framework ?? DEFAULT_FRAMEWORK,
    is_framework_given: framework !== undefined,
    runtime: given.runtime ?? null,
    is_runtime_given: given.runtime !== undefined,
    build_command: given.buildCommand ?? null,
    // Nothing between the quotes is nothing said; the root itself is written as a dot.
    output_directory: outputDirectory ? readDirectory('outputDirectory', outputDirectory) : null,
    start_command: given.startCommand ?? null,
    root_directory: (rootDirectory && readDirectory('rootDirectory', rootDirectory)) || null,
  };
}
