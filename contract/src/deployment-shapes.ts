import { z } from 'zod';
import { id, timestamp } from './common-shapes.ts';
import { deploymentStages, deploymentStatuses } from './states.ts';

const stageTime = z.object({ stage: z.enum(deploymentStages), started_at: timestamp });

export const deployment = z.object({
  id,
  environment_id: id,
  status: z.enum(deploymentStatuses),
  deployment_stage: z.enum(deploymentStages),
  commit_sha: z.string().nullable().meta({ description: 'null until it is known, and for uploads' }),
  commit_message: z.string().nullable(),
  upload_name: z
    .string()
    .nullable()
    .meta({ description: 'the name of the uploaded archive; null where it is of a repository' }),
  error: z.string().nullable().meta({ description: 'why it failed or was cancelled, for people' }),
  is_live: z.boolean().meta({ description: 'whether this is what the environment serves' }),
  can_rollback: z.boolean().meta({ description: 'whether the environment can be rolled back to it' }),
  started_at: timestamp,
  completed_at: timestamp.nullable(),
  stages: z.array(stageTime).meta({
    description:
      'when each stage of the last run began, in order: a rollback is a run of its own, and what an interrupted build ' +
      'does again counts from then; a rollback that was stopped or overtaken, which leaves the deployment `healthy`, ' +
      'ends before `released`; empty where it ended before these times were kept',
  }),
  first_run: z
    .object({ stages: z.array(stageTime), completed_at: timestamp.nullable() })
    .nullable()
    .meta({ description: 'its build and first release, once a rollback has released it again; null before' }),
});

export const deploymentWithLogs = deployment.extend({ deployment_logs: z.array(z.string()) });
