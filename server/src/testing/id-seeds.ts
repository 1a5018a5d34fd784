import type { EndpointDeclaration } from '@lilac/contract/endpoint';
import { toInputSchema, type JsonSchema } from '@lilac/contract/json-schema';
import { organisationField } from './contract-subject.ts';
import type { Settlement } from './settlement.ts';

/** What a field's value names in a settlement, or why it names nothing that an organisation has. */
type Seed = ((of: Settlement, declaration: EndpointDeclaration) => string | number) | { namesNothing: string };

const AT_THE_HOST = { namesNothing: 'something of a repository host, which is asked with the caller’s own credential' };
const PROOF = { namesNothing: 'a proof: whoever holds it may' };

/**
 * Every field of the contract that has the form of an id, by its name. One that is not here fails the matrix:
 * say what it names, and seed that in `settlement.ts`.
 */
const seeds: Record<string, Seed> = {
  applicationId: ({ application }) => application.id,
  databaseId: ({ database }) => database.id,
  deploymentId: ({ deployment }) => deployment.id,
  environmentId: ({ environment }) => environment.id,
  environmentIds: ({ environment }) => environment.id,
  projectId: ({ project }) => project.id,
  targetFolderId: ({ project }) => project.id,
  uploadId: ({ upload }) => upload.id,
  backupId: ({ backupId }) => backupId,
  keyId: ({ keyId }) => keyId,
  userId: ({ owner }) => owner.userId,
  sessionId: ({ owner }) => owner.sessionId,
  invitationId: ({ invitationId }) => invitationId,
  invitationToken: ({ invitationToken }) => invitationToken,
  subdomain: ({ subdomain }) => subdomain,
  id: connectionOf,
  connectionId: connectionOf,
  installationId: ({ installationId }) => installationId,
  installId: ({ installationId }) => installationId,
  queryId: { namesNothing: 'a name that the caller chose, looked for in the addressed database only' },
  owner: AT_THE_HOST,
  repo: AT_THE_HOST,
  provider2ProjectId: AT_THE_HOST,
  provider3RepoUuid: AT_THE_HOST,
  accountLogins: AT_THE_HOST,
  appId: AT_THE_HOST,
  clientId: AT_THE_HOST,
  client_id: { namesNothing: 'the program that asks' },
  code: PROOF,
  device_code: PROOF,
  userCode: PROOF,
  setupToken: PROOF,
  refreshToken: PROOF,
  pendingToken: PROOF,
  attempt: { namesNothing: 'a signed ticket for one person: see confirm-attempt.test.ts' },
};

export interface IdField {
  name: string;
  isList: boolean;
}

/** The fields by which a caller could name something of another organisation, besides the organisation itself. */
export function idFieldsOf(declaration: EndpointDeclaration): IdField[] {
  const parts = ['params', 'query', 'body'] as const;
  return parts.flatMap((part) => {
    const schema = declaration[part];
    const fields = schema ? leavesOf(toInputSchema(schema)) : [];
    return fields.filter(({ name }) => isIdLike(name, part) && name !== organisationField(declaration));
  });
}

/** Also of one that nobody has thought of yet, so that it is tried, and fails. */
export function namesSomething({ name }: IdField): boolean {
  return !hasSeed(name) || typeof seeds[name] === 'function';
}

export function hasSeed(name: string): boolean {
  return Object.hasOwn(seeds, name);
}

/** Its value in a settlement; null where it names nothing of an organisation. */
export function seedOf(name: string, of: Settlement, declaration: EndpointDeclaration): string | number | null {
  const seed = seeds[name];
  if (!seed) {
    const advice = 'Say in testing/id-seeds.ts what it names, and seed that in testing/settlement.ts.';
    throw new Error(`The field "${name}" of ${declaration.path} has the form of an id. ${advice}`);
  }
  return typeof seed === 'function' ? seed(of, declaration) : null;
}

const ID_LIKE = /(?:^id|I[dD]s?|_id|Uuids?|Tokens?|Logins?|[cC]odes?)$|^(?:subdomain|attempt)$/;

/** All that stands in a path leads to something. */
function isIdLike(name: string, part: 'params' | 'query' | 'body'): boolean {
  return part === 'params' || ID_LIKE.test(name);
}

function leavesOf(schema: JsonSchema): IdField[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, child]) => {
    const inner = [child, ...(child.anyOf ?? [])].flatMap((each) => [each, ...itemsOf(each)]);
    const isDeep = inner.some((each) => leavesOf(each).some((leaf) => ID_LIKE.test(leaf.name)));
    if (isDeep) throw new Error(`An id stands within "${name}": teach testing/id-seeds.ts to find and to send it.`);
    return [{ name, isList: inner.some(({ type }) => type === 'array') }];
  });
}

function itemsOf({ items, additionalProperties }: JsonSchema): JsonSchema[] {
  return [items, additionalProperties].flat().filter((each) => typeof each === 'object');
}

function connectionOf({ connections }: Settlement, { path }: EndpointDeclaration): string {
  return path.includes('provider3') ? connections.provider3 : connections.provider2;
}
