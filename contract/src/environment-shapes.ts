import { z } from 'zod';
import { id, timestamp } from './common-shapes.ts';
import { environmentStatuses } from './states.ts';

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
