import type { DeploymentStage } from '@lilac/contract/states';
import type { RunSpec } from '../db/run-spec.ts';
import type { Repository } from '../vcs/git/repository.ts';
import type { BuildSettings, Plan } from './plan.ts';

/** Turns a source into an artifact. */
export interface Builder {
  /**
   * Rejects with `BuildFailed` when the project is at fault: trying again would not help. Whatever the
   * end, no process of the build is left, and no folder but one so large that it is still being removed.
   */
  build(request: BuildRequest, hooks: BuildHooks): Promise<BuiltArtifact>;
  /** Removes what builds left behind whose worker was killed: processes, mounts, folders, cgroups. */
  sweep(): Promise<void>;
  /** Forgets what was kept for builds of an environment that is gone. */
  forgetEnvironment(environmentId: string): Promise<void>;
}

export interface BuildRequest {
  deploymentId: string;
  organisationId: string;
  environmentId: string;
  source: { kind: 'git'; repository: Repository; branch: string } | { kind: 'upload'; storagePath: string };
  settings: BuildSettings;
  /** Byte for byte what the environment's variables are. */
  variables: Readonly<Record<string, string>>;
}

export interface BuildHooks {
  /** `fetching`, `detecting`, `installing`, `building`, `packaging`: awaited before the step begins. */
  onStage(stage: DeploymentStage): Promise<void>;
  onCommit(commit: { sha: string; message: string }): Promise<void>;
  onPlan(plan: Plan): Promise<void>;
  /** One line, without its end; secrets are struck out already. */
  onLine(line: string): void;
  /** In the place of that, where not every line may be read: to strike out secrets takes time. */
  onUnread?(line: UnreadLine): void;
  /** Aborted when the build is cancelled, overdue, or its worker stops. */
  signal: AbortSignal;
}

export interface UnreadLine {
  /** What it took as it was written. */
  readonly bytes: number;
  /** The line as it may be seen. */
  read(): string | Promise<string>;
}

export interface BuiltArtifact {
  artifactId: string;
  /** How its instances are run; null where it is static. */
  run: BuiltRun | null;
  fileCount: number;
  size: number;
}

/** What the build knows of how to run it; the rest are settings. */
export type BuiltRun = Pick<
  RunSpec,
  'startCommand' | 'workDirectory' | 'port' | 'isPortKnown' | 'tools' | 'variables' | 'image'
>;

/** The project cannot be built as it is; the message tells a person what to do. */
export class BuildFailed extends Error {}
