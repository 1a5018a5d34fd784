import { z } from 'zod';
import { keyRoles, roles } from './permissions.ts';
import { plans } from './plans.ts';
import {
  applicationStatuses,
  backupStatuses,
  databaseStatuses,
  databaseSteps,
  databaseTypes,
  deploymentStages,
  deploymentStatuses,
  deploymentTypes,
  environmentStatuses,
  gitProviders,
  pushStatuses,
  sourceTypes,
  uploadStatuses,
} from './states.ts';

/** Ids are opaque; the bound only keeps nonsense from the store. */
export const id = z.string().min(1).max(64);
export const timestamp = z.iso.datetime({ offset: true }).meta({ description: 'RFC 3339, UTC' });
/** Anything a person can read; handlers trim it. */
export const name = z.string().min(1).max(100).regex(/\S/);
export const email = z
  .string()
  .min(3)
  .max(254)
  .regex(/^[^\s@]+@[^\s@]+$/);
/** Length is what counts (NIST SP 800-63B); no rule asks for odd characters. */
const MIN_PASSWORD_LENGTH = 8;
export const password = z.string().min(MIN_PASSWORD_LENGTH).max(256).meta({ description: '8 to 256 characters' });

/** Required with a session token, optional with a key: admission decides, so the schema does not. */
export const organisationFields = {
  targetOrganisationId: id.optional().meta({ description: 'Required with a session token; inferred with an API key.' }),
};

/** Out-of-range values are clamped, not refused, so the schema states no bounds. */
export const paginationFields = {
  page: z.number().default(1).meta({ description: '1 to 100000; clamped' }),
  limit: z.number().default(10).meta({ description: '1 to 100; clamped' }),
  filter: z.string().max(200).default('').meta({ description: 'free text matched against the name' }),
  sortColumn: z.string().max(64).default('created_at'),
  sortOrder: z.enum(['asc', 'desc']).default('desc'),
};

export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({
    items: z.array(item),
    totalItems: z.int(),
    totalPages: z.int(),
    currentPage: z.int(),
  });

export const message = z.object({ message: z.string() });

export const errorBody = z.object({
  message: z.string(),
  code: z.string(),
  errorId: z.string().optional().meta({ description: 'finds the failure in the log' }),
});

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

export const environment = z.object({
  id,
  application_id: id,
  name: z.string(),
  vcs_branch: z.string().nullable().meta({ description: 'null in production where the source is an upload' }),
  is_production: z.boolean(),
  status: z.enum(environmentStatuses),
  url: z.string(),
  custom_domain: z.string().nullable(),
  auto_deploy: z.boolean(),
  build_command: z.string().nullable().meta({ description: "null: the application's" }),
  output_directory: z.string().nullable().meta({ description: "null: the application's" }),
  container_port: z.int().nullable(),
  memory: z.string().nullable().meta({ description: "null: the application's" }),
  cpu: z.string().nullable().meta({ description: "null: the application's" }),
  region: z.string().nullable(),
  min_instances: z.int(),
  max_instances: z.int(),
  password_protected: z.boolean(),
  access_log: z.boolean().meta({ description: 'whether every request is a line of the log' }),
  trouble: z.string().nullable().meta({
    description:
      'what is wrong with the instances of what is live, and, where one environment is asked for, why its last deployment failed; null when nothing is',
  }),
  live_deployment_id: id.nullable().meta({ description: 'what is served now' }),
  created_at: timestamp,
  updated_at: timestamp,
});

export const environmentWithVariables = environment.extend({ environment_vars: z.record(z.string(), z.string()) });

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

export const database = z.object({
  id,
  name: z.string(),
  database_type: z.enum(databaseTypes),
  version: z.string().meta({ description: 'of the engine' }),
  tier: z.string(),
  region: z.string(),
  storage_gb: z.int(),
  ha_enabled: z.boolean(),
  public_ip_enabled: z.boolean(),
  authorized_networks: z.array(z.string()).meta({ description: 'empty: anywhere' }),
  project_id: id.nullable(),
  status: z.enum(databaseStatuses),
  error: z
    .string()
    .nullable()
    .meta({ description: 'what is wrong with it, or why the last change failed, for people' }),
  created_at: timestamp,
});

export const databaseProgress = z.object({
  status: z.enum(databaseStatuses),
  step: z.enum(databaseSteps),
  percent: z.int().min(0).max(100),
});

export const databaseBackup = z.object({
  id,
  database_id: id,
  automatic: z.boolean(),
  status: z.enum(backupStatuses),
  size: z.int().nullable().meta({ description: 'bytes, compressed' }),
  error: z.string().nullable(),
  started_at: timestamp,
  completed_at: timestamp.nullable(),
  expires_at: timestamp.nullable().meta({ description: 'when it goes by itself' }),
});

export const databaseLink = z.object({
  database_id: id,
  environment_id: id,
  variable: z.string(),
  created_at: timestamp,
});

export const upload = z.object({
  uploadId: id,
  signedUrl: z.string().meta({ description: 'takes one PUT with the announced Content-Type; valid 15 minutes' }),
  storagePath: z.string(),
  expiresAt: timestamp,
  maxSize: z.int().meta({ description: 'bytes' }),
});

export const activityEntry = z.object({
  id,
  action: z.string(),
  actor_email: z.string().meta({ description: "a person's email, or the name of an API key" }),
  created_at: timestamp,
});

/** At the level of an organisation an entry says besides what it was about. */
export const organisationActivityEntry = activityEntry.extend({
  application_id: id.nullable(),
  environment_id: id.nullable(),
  subject: z.string().nullable().meta({ description: 'what it was done to: a name or an email, never a value' }),
});

export const detectedProject = z.object({
  framework: z.string().nullable(),
  runtime: z.string().nullable(),
  deploymentType: z.enum(deploymentTypes),
  buildCommand: z.string().nullable(),
  outputDirectory: z.string().nullable(),
  installCommand: z.string().nullable(),
  startCommand: z.string().nullable(),
  packageManager: z.string().nullable(),
});

export const completedUpload = z.object({
  uploadId: id,
  status: z.enum(uploadStatuses),
  size: z.int(),
  detected: detectedProject.nullable().meta({
    description: 'how it would be built, as it is and with what was said of it; null where nothing is recognised',
  }),
});

export const project = z.object({
  id,
  name: z.string(),
  created_at: timestamp,
  updated_at: timestamp,
});

export const apiKey = z.object({
  id,
  name: z.string(),
  prefix: z.string(),
  role: z.enum(keyRoles),
  created_by: id.nullable(),
  expires_at: timestamp.nullable(),
  revoked_at: timestamp.nullable(),
  last_used_at: timestamp.nullable(),
  created_at: timestamp,
});

export const organisation = z.object({
  id,
  name: z.string(),
  slug: z.string(),
  plan: z.enum(plans),
  created_at: timestamp,
  updated_at: timestamp,
});

export const member = z.object({
  user_id: id,
  email: z.string(),
  first_name: z.string(),
  role: z.enum(roles),
  joined_at: timestamp,
});

export const invitation = z.object({
  id,
  email: z.string(),
  role: z.enum(roles),
  invited_by: id.nullable(),
  expires_at: timestamp,
  created_at: timestamp,
});

export const userProfile = z.object({
  id,
  email: z.string(),
  first_name: z.string(),
  mfa_enabled: z.boolean(),
  organisations: z.array(
    z.object({ id, name: z.string(), slug: z.string(), role: z.enum(roles), plan: z.enum(plans) }),
  ),
});

export const session = z.object({
  id,
  kind: z.enum(['browser', 'cli', 'operator']),
  device: z.string(),
  address: z.string().nullable(),
  current: z.boolean(),
  created_at: timestamp,
  last_used_at: timestamp,
  expires_at: timestamp,
});

export const tokenPair = z.object({
  token: z.string(),
  refreshToken: z
    .string()
    .optional()
    .meta({ description: 'Absent outside X-Client-Type: cli; browsers get it as an httpOnly cookie.' }),
});
