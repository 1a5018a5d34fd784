import { z } from 'zod';
import { endpoint, featureFlags, readOnly } from './endpoint.ts';
import { plans } from './plans.ts';
import { gitProviders } from './states.ts';

const range = z.tuple([z.number(), z.number()]);

const common = {
  method: 'GET',
  credential: 'any',
  permission: null,
  organisation: null,
  status: 200,
  mcp: readOnly,
} as const;

export const config = {
  'config.platform': endpoint({
    ...common,
    path: '/api/config/platform',
    summary: 'Show the catalogue: regions, container sizes, frameworks, database tiers, plans',
    output: z.object({
      regions: z.array(z.object({ id: z.string(), label: z.string(), tier: z.string() })),
      containerSizes: z.array(
        z.object({ id: z.string(), vcpu: z.number(), memory: z.string(), maxConcurrency: z.int() }),
      ),
      frameworks: z.array(z.string()).meta({ description: 'what `framework` may be, beside libraries such as react' }),
      databaseTiers: z.array(
        z.object({
          id: z.string(),
          label: z.string(),
          vcpu: z.number(),
          memoryMb: z.int(),
          dedicated: z.boolean(),
          available: z.boolean().meta({ description: 'false: this machine has less than it asks for' }),
        }),
      ),
      databaseTypes: z.array(
        z.object({
          id: z.string(),
          label: z.string(),
          available: z.boolean().meta({ description: 'whether databases of this type can be made here' }),
          version: z.string().nullable().meta({ description: 'of new ones' }),
          missing: z.string().nullable().meta({ description: 'what keeps them from being made, for the operator' }),
        }),
      ),
      plans: z.array(z.object({ id: z.enum(plans), apiKeys: z.boolean(), maxInstances: z.int() })),
      limits: z.object({
        uploadMaxBytes: z.int(),
        logRetentionDays: z.int(),
        deploymentHistory: z.int(),
        rollbackWindow: z.int(),
      }),
      appsDomain: z.string(),
      repositoryHosts: z.array(
        z.object({
          id: z.enum(gitProviders),
          url: z.string().meta({ description: 'what the addresses of its repositories begin with' }),
          enabled: z.boolean().meta({ description: 'false: its feature flag is off' }),
          configured: z
            .boolean()
            .meta({ description: 'false: the operator has not set it up; public repositories need nothing' }),
        }),
      ),
      isolation: z.object({
        lacking: z.array(z.string()).meta({ description: 'what keeps applications less apart than they should be' }),
      }),
    }),
    cli: ['config', 'platform'],
  }),
  'config.feature-flags': endpoint({
    ...common,
    path: '/api/config/feature-flags',
    summary: 'List the feature flags that are on',
    output: z.object({
      flags: z.array(z.string()).meta({ description: 'the flags that are on' }),
      map: z.record(z.enum(featureFlags), z.boolean()),
    }),
    cli: ['config', 'flags'],
  }),
  'config.containerplatform': endpoint({
    ...common,
    path: '/api/config/containerplatform',
    summary: 'Show container sizes and the scaling range',
    output: z.object({
      sizes: z.array(
        z.object({
          id: z.string(),
          memory: z.string(),
          cpu: z.string(),
          maxConcurrency: z.int(),
        }),
      ),
      scaling: z.object({ minInstances: range, maxInstances: range }),
    }),
    cli: ['config', 'sizes'],
  }),
  'config.containerplatform.compatible': endpoint({
    ...common,
    path: '/api/config/containerplatform/compatible',
    summary: 'List the CPU options that go with an amount of memory',
    query: z.object({
      memory: z
        .string()
        .min(1)
        .max(16)
        .meta({ description: 'one of those that config/containerplatform lists', examples: ['512Mi'] }),
    }),
    output: z.object({ memory: z.string(), cpu: z.array(z.string()) }),
    cli: ['config', 'cpu'],
  }),
};
