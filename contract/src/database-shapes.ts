import { z } from 'zod';
import { id, timestamp } from './common-shapes.ts';
import { backupStatuses, databaseStatuses, databaseSteps, databaseTypes } from './states.ts';
import { MAX_STORAGE_GB } from './storage-limits.ts';

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

/** As an environment shows it. */
export const connectedDatabase = databaseLink.extend({
  name: database.shape.name,
  database_type: database.shape.database_type,
  status: database.shape.status,
});

export const tier = z
  .string()
  .max(40)
  .regex(/^(db-f1-micro|db-g1-small|db-custom-\d{1,3}-\d{1,7})$/)
  .meta({
    description: '`db-f1-micro` or `db-g1-small` (shared), or `db-custom-<vCPU>-<memoryMB>` (dedicated)',
    examples: ['db-f1-micro'],
  });

export const storageGb = z.int().min(1).max(MAX_STORAGE_GB);

/** How it is, and what is wrong with it. */
export const state = database.pick({ id: true, status: true, error: true });
