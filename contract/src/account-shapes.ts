import { z } from 'zod';
import { id, timestamp } from './common-shapes.ts';
import { roles } from './permissions.ts';
import { plans } from './plans.ts';

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
