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

/** What is out of range is clamped, not refused, so the schema states no bounds. */
export const clampedTo = (least: number, most: number) => `${least} to ${most}; anything outside becomes the nearest`;

export const pageFields = {
  page: z
    .number()
    .default(1)
    .meta({ description: clampedTo(1, 100_000) }),
  limit: z
    .number()
    .default(10)
    .meta({ description: clampedTo(1, 100) }),
};

/** For lists that take an offset in place of a page. */
export const rangeFields = {
  limit: z
    .number()
    .default(20)
    .meta({ description: clampedTo(1, 100) }),
  offset: z
    .number()
    .default(0)
    .meta({ description: `how many to pass over: ${clampedTo(0, 1_000_000)}` }),
};

/** A column that is not among them is ignored, not refused, so the schema lists none. */
export const paginationFields = (sortColumns: readonly string[]) => ({
  ...pageFields,
  filter: z.string().max(200).default('').meta({ description: 'free text matched against the name' }),
  sortColumn: z
    .string()
    .max(64)
    .default('created_at')
    .meta({ description: `one of ${sortColumns.join(', ')}; anything else counts as created_at` }),
  sortOrder: z.enum(['asc', 'desc']).default('desc'),
});

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
