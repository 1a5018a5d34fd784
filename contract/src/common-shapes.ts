import { z } from 'zod';

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
