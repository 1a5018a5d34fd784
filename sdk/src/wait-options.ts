import type { DeploymentStage, DeploymentStatus } from '@lilac/contract/states';

export interface WaitOptions {
  /** Required with a session; an API key has its own. */
  targetOrganisationId?: string | undefined;
  /** Left out: 30 minutes. `Infinity` waits as long as it takes. */
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

export interface DeploymentProgress {
  status: DeploymentStatus;
  deployment_stage: DeploymentStage;
  /** Whether it is what the environment serves. */
  is_live: boolean;
  /** When it came to this. */
  at: string;
}

export interface FollowDeploymentOptions extends WaitOptions {
  /** At once, and at every change. */
  onStatus?: ((progress: DeploymentProgress) => void) | undefined;
  /** Every line of the build log, once and in order; `line` counts from 0. */
  onLog?: ((text: string, line: number) => void) | undefined;
  /** The first line to tell; negative: so many from the end. */
  fromLine?: number | undefined;
}

/** An application means its production environment. */
export type HealthTarget = { environmentId: string } | { applicationId: string };

export const WAIT_MS = 30 * 60_000;
