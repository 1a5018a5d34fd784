import { z } from 'zod';
import { id, timestamp } from './common-shapes.ts';
import { keyRoles, roles } from './permissions.ts';
import { plans } from './plans.ts';

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
