import { z } from 'zod';
import { id } from './common-shapes.ts';
import { OWN_ORGANISATION } from './scopes.ts';
import { attemptStates } from './states.ts';

/** Most endpoints of repository hosts are GET, with the organisation in the path. */
export const organisationOfPath = {
  method: 'GET',
  credential: 'any',
  organisation: 'params.orgId',
  permission: 'read:projects',
  status: 200,
} as const;

export const orgId = id.meta({ description: `with an API key also ${OWN_ORGANISATION}: its own` });

export const organisationOfQuery = id
  .optional()
  .meta({ description: 'Required with a session token; inferred with an API key.' });

/** For what leads a person to a host: the address is for them, and most belong to one organisation. */
export const leadsToHost = {
  ...organisationOfPath,
  credential: 'session',
  // To be refused on the way back from the host would be late.
  minimumRole: 'admin',
  organisation: 'query.organisationId',
  infersOrganisation: true,
} as const;

export const inferredOrganisation = z.object({
  organisationId: id.optional().meta({ description: 'Left out: the only one you belong to; with several, name one.' }),
});

export const ofRepository = z.object({
  orgId,
  owner: z.string().min(1).max(255).meta({ description: 'the account, the group or the workspace it belongs to' }),
  repo: z.string().min(1).max(255).meta({ description: 'its name there' }),
});

export const NAMES_OF_PROVIDERS = 'provider1: GitHub, provider2: GitLab, provider3: Bitbucket';

/** Without its id, which is a number or not, depending on the host. */
export const repositoryOfHost = z.object({
  name: z.string(),
  full_name: z.string(),
  private: z.boolean(),
  default_branch: z.string().nullable(),
});

export const branchOfRepository = z.object({ name: z.string(), commit_sha: z.string() });

/** Of lists that the host gives. */
export const MAY_BE_OLD =
  'While the host does not answer, what was read within the last hour is given: `X-As-Of` says when.';

export const MAY_BE_PARTIAL =
  'One account that cannot be read takes nothing from the others: `X-Partial` names those that are missing.';

export const attemptStatus = z.object({
  status: z.enum(attemptStates),
  message: z.string().nullable().meta({ description: 'why it was refused, or what to do' }),
});
