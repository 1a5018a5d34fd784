import { z } from 'zod';
import { id } from '@lilac/contract/common-shapes';

/** The arguments that tools share, with the same words everywhere. */
export const organisationField = {
  organisationId: id
    .optional()
    .describe('From list_organisations. May be left out with an API key, and where there is one only.'),
};

export const applicationId = id.describe('The id of an application, from list_applications.');
export const environmentId = id.describe('The id of an environment, from get_application.');
export const deploymentId = id.describe('The id of a deployment, from list_deployments.');
export const databaseId = id.describe('The id of a database, from list_databases.');

/** Clients give up after a minute, unless they are told otherwise. */
const USUAL_WAIT_SECONDS = 45;
const LONGEST_WAIT_SECONDS = 300;

export const waitField = {
  waitSeconds: z
    .int()
    .min(0)
    .max(LONGEST_WAIT_SECONDS)
    .default(USUAL_WAIT_SECONDS)
    .describe('How long to wait for the end of the deployment. 0: answer at once. It goes on whatever is waited.'),
};

export const confirmField = {
  confirm: z
    .string()
    .max(300)
    .optional()
    .describe(
      'Exactly what the refusal gives, after the person agreed. Needed only where the client cannot ask the person itself.',
    ),
};

export const pageFields = {
  page: z.int().min(1).max(100_000).default(1),
  limit: z.int().min(1).max(100).default(20).describe('How many to a page.'),
};

/** Beside a page: how many there are, and how to get the others. */
export const pageOutput = {
  total: z.int().describe('How many there are altogether.'),
  next_page: z.int().nullable().describe('Ask for this page to get more; null at the end.'),
};

export function pageCounts(answer: { totalItems: number; totalPages: number; currentPage: number }) {
  const { totalItems, totalPages, currentPage } = answer;
  return { total: totalItems, next_page: currentPage < totalPages ? currentPage + 1 : null };
}
