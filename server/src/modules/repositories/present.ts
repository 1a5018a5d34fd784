import type { OutputOf } from '@lilac/contract/endpoint';
import type { Endpoints } from '@lilac/contract/endpoints';
import type { Plan } from '../../build/plan.ts';
import type { Branch } from '../../vcs/git/repository.ts';

export function presentPlan(plan: Plan): OutputOf<Endpoints['applications.detect-framework']> {
  return {
    framework: plan.framework,
    runtime: plan.runtime,
    deploymentType: plan.deploymentType,
    buildCommand: plan.buildCommand,
    outputDirectory: plan.outputDirectory,
    installCommand: plan.installCommand,
    startCommand: plan.startCommand,
    packageManager: plan.packageManager?.name ?? null,
  };
}

export function presentBranch({ name, sha }: Branch): OutputOf<Endpoints['applications.public-branches']>[number] {
  return { name, commit_sha: sha };
}
