import { z } from 'zod';

/**
 * For lists that take an offset in place of a page; the server keeps to it by `clampRange`. Out-of-range values are
 * clamped, not refused, so the schema states no bounds.
 */
export const rangeFields = {
  limit: z.number().default(20).meta({ description: '1 to 100; clamped' }),
  offset: z.number().default(0).meta({ description: 'clamped' }),
};
