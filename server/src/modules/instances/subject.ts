import { planLimits, type Plan } from '@lilac/contract/plans';
import type { RunSpec } from '../../db/run-spec.ts';
import type { InstanceSpec } from '../../runtime/runtime.ts';
import type { DatabaseLinks } from '../databases/links/link-store.ts';
import { instanceEnvironment } from './instance-environment.ts';

/** A deployment that runs as instances, with all that starting one takes: nothing is asked when it must be quick. */
export interface Subject {
  organisationId: string;
  environment: { id: string; name: string };
  application: { name: string };
  url: string;
  deployment: {
    id: string;
    run: RunSpec;
    /** With the addresses of databases as they were when they were last read. */
    variables: Readonly<Record<string, string>>;
    databaseLinks: DatabaseLinks;
    slug: InstanceSpec['slug'];
    commitSha: string | null;
    branch: string | null;
  };
}

export interface Bounds {
  min: number;
  max: number;
}

/** The plan may have been lowered since the bounds were set. */
export function boundsOf(plan: Plan, { min, max }: Bounds): Bounds {
  const cap = planLimits[plan].maxInstances;
  return { min: Math.min(min, max, cap), max: Math.max(1, Math.min(max, cap)) };
}

export function specOf(subject: Subject, id: string): InstanceSpec {
  const { organisationId, environment, deployment } = subject;
  const { run, slug } = deployment;
  return {
    id,
    organisationId,
    environmentId: environment.id,
    deploymentId: deployment.id,
    slug,
    ...(run.image && { image: run.image }),
    command: run.startCommand,
    workDirectory: run.workDirectory,
    env: instanceEnvironment(subject, id),
    port: run.port,
    tools: run.tools,
    memoryMb: run.memoryMb,
    cpus: run.cpus,
  };
}
