import { z } from 'zod';
import { keyRoles, roles } from './permissions.ts';
import { plans } from './plans.ts';
import { applicationStatuses, deploymentTypes, sourceTypes } from './states.ts';

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

export const applicationWithEnvironments = application.extend({
  environments: z.array(z.object({ id, name: z.string(), is_production: z.boolean() })),
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
