import { z } from 'zod';
import { database } from './resources.ts';

export const tier = z
  .string()
  .max(40)
  .regex(/^(db-f1-micro|db-g1-small|db-custom-\d{1,3}-\d{1,7})$/)
  .meta({
    description: '`db-f1-micro` or `db-g1-small` (shared), or `db-custom-<vCPU>-<memoryMB>` (dedicated)',
    examples: ['db-f1-micro'],
  });

export const storageGb = z.int().min(1).max(65_536);

/** How it is, and what is wrong with it. */
export const state = database.pick({ id: true, status: true, error: true });
