import { z } from 'zod';
import { id, timestamp } from './common-shapes.ts';
import {
  applicationStatuses,
  deploymentStatuses,
  deploymentTypes,
  gitProviders,
  pushStatuses,
  sourceTypes,
} from './states.ts';

export const application = z.object({
  id,
  name: z.string(),
  slug: z.string(),
  deployment_type: z.enum(deploymentTypes),
  framework: z.string(),
  runtime: z.string().nullable(),
  vcs_repo_url: z.string().nullable(),
  vcs_branch: z.string().nullable(),
  source_type: z.enum(sourceTypes),
  status: z.enum(applicationStatuses),
  url: z.string(),
  project_id: id.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
});

/** As lists show it: with what became of production, so that nobody asks again for each. */
export const listedApplication = application.extend({
  production_environment_id: id.nullable().meta({ description: 'null while there is none' }),
  last_deployment: z
    .object({
      id,
      status: z.enum(deploymentStatuses),
      commit_sha: z.string().nullable(),
      commit_message: z.string().nullable(),
      upload_name: z.string().nullable(),
      started_at: timestamp,
    })
    .nullable()
    .meta({ description: 'the newest of production; null while there is none' }),
  live_deployment: z
    .object({
      id,
      commit_sha: z.string().nullable(),
      commit_message: z.string().nullable(),
      upload_name: z.string().nullable(),
      started_at: timestamp,
      is_rolled_back: z.boolean().meta({ description: 'whether a newer one that was live was set aside for it' }),
    })
    .nullable()
    .meta({ description: 'what production serves: not the newest where that failed, or after a rollback' }),
});

export const applicationWithEnvironments = application.extend({
  git_provider: z.enum(gitProviders),
  is_private: z.boolean(),
  build_command: z.string().nullable().meta({ description: 'null: detected' }),
  output_directory: z.string().nullable().meta({ description: 'null: detected' }),
  start_command: z.string().nullable().meta({ description: 'null: detected' }),
  root_directory: z.string().nullable(),
  container_port: z.int().nullable(),
  memory: z.string(),
  cpu: z.string().nullable(),
  concurrency: z.int(),
  cpu_target: z.int(),
  region: z.string().nullable(),
  auto_deploy_on_push: z.boolean(),
  auto_deploy_branches: z.array(z.string()),
  auto_delete_stale_envs: z.boolean(),
  push_status: z.enum(pushStatuses).meta({
    description:
      'whether pushes are deployed by themselves: `off` nothing is set to, `waiting` the host is being asked to tell of ' +
      'them, `ready` it does, `failed` it does not',
  }),
  push_trouble: z.string().nullable().meta({ description: 'why pushes are not deployed, and what to do' }),
  environments: z.array(z.object({ id, name: z.string(), is_production: z.boolean() })),
});
