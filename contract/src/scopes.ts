/** The beginnings that most declarations share: whom they are for, and where the organisation is named. */

/** A part of a path cannot be left out: with an API key, which belongs to one, this stands for its organisation. */
export const OWN_ORGANISATION = '-';

/** Things of an organisation, for people and keys alike. */
export const inOrganisation = {
  method: 'POST',
  credential: 'any',
  organisation: 'body.targetOrganisationId',
  status: 200,
} as const;

/** The organisation itself and its keys: a signed-in person's business, whatever a key's role. */
export const forMembers = { ...inOrganisation, credential: 'session', mcp: null } as const;

/** What concerns nobody but the signed-in person. */
export const forOneself = {
  method: 'POST',
  credential: 'session',
  permission: null,
  organisation: null,
  status: 200,
  cli: null,
  mcp: null,
} as const;

/** Nobody is signed in yet: the body carries the proof. */
export const forAnybody = { ...forOneself, credential: 'none' } as const;
