import { keyRoleHas, roleHas } from '@lilac/contract/permissions';
import type { EndpointDeclaration } from '@lilac/contract/endpoint';
import { toInputSchema } from '@lilac/contract/json-schema';
import { expect } from 'vitest';
import { mintApiKey } from '../modules/api-keys/api-key.ts';
import { expectRefusal, fieldsOf, organisationField, type Subject } from './contract-subject.ts';
import { unreadableBodies } from './unreadable-bodies.ts';

/** A guarantee of the http layer, tried on every endpoint it applies to. */
export interface ContractCase {
  title: string;
  applies: (declaration: EndpointDeclaration) => boolean;
  check: (subject: Subject) => Promise<void>;
}

const isProtected = ({ credential }: EndpointDeclaration) => credential !== 'none';
const takesKeys = ({ credential }: EndpointDeclaration) => credential === 'any';
const hasOrganisation = ({ organisation }: EndpointDeclaration) => organisation !== null;
/** The few that say so in their query, of keys too. */
const mustNameOrganisation = (declaration: EndpointDeclaration) =>
  declaration.query !== undefined &&
  (toInputSchema(declaration.query).required ?? []).includes(organisationField(declaration));
const isBeyondReaders = ({ permission }: EndpointDeclaration) => permission !== null && !keyRoleHas('user', permission);

/** Who may call what, and what a caller learns who may not. */
export const accessCases: ContractCase[] = [
  {
    title: '401 CA001 without a credential, whatever the body',
    applies: isProtected,
    async check({ call, send, declaration }) {
      expectRefusal(await send(undefined), 'CA001');
      for (const broken of unreadableBodies(declaration)) expectRefusal(await call(broken), 'CA001');
    },
  },
  {
    title: '401 CA002 with a credential that is malformed, unknown, expired or revoked, whatever the body',
    applies: isProtected,
    async check({ call, send, declaration, world: { expiredToken, expiredKey, revokedKey } }) {
      const invented = mintApiKey().text;
      const altered = invented.slice(0, -1) + (invented.endsWith('a') ? 'b' : 'a');
      const tokens = ['', 'nonsense', 'a.b.c', 'lc_', altered, invented, expiredToken, expiredKey, revokedKey];
      for (const token of tokens) {
        expectRefusal(await send(token), 'CA002', token);
        for (const broken of unreadableBodies(declaration))
          expectRefusal(await call({ token, ...broken }), 'CA002', token);
      }
      expectRefusal(await call({ headers: { authorization: 'Basic bm9ib2R5Om5vdGhpbmc=' } }), 'CA002');
    },
  },
  {
    title: '401 CA002 with a session that has ended, though its token has not run out',
    applies: ({ needsLiveSession }) => needsLiveSession === true,
    async check({ send, world: { endedSessions } }) {
      for (const [end, token] of Object.entries(endedSessions)) {
        const answer = await send(token);
        expectRefusal(answer, 'CA002', end);
        expect(answer.body.message).toBe('This session has ended. Sign in again.');
      }
    },
  },
  {
    title: 'does not ask whether the session has ended',
    applies: ({ credential, needsLiveSession }) => credential !== 'none' && !needsLiveSession,
    async check({ send, world: { endedSessions } }) {
      expect((await send(endedSessions.revoked)).status).not.toBe(401);
    },
  },
  {
    title: '402 CA008 with a key of an organisation on the free plan, whatever the body',
    applies: isProtected,
    async check({ call, send, declaration, world: { freeKey } }) {
      expectRefusal(await send(freeKey, { targetOrganisationId: undefined }), 'CA008');
      for (const broken of unreadableBodies(declaration))
        expectRefusal(await call({ token: freeKey, ...broken }), 'CA008');
    },
  },
  {
    title: '403 CA006 with a key, since it takes a signed-in person',
    applies: ({ credential }) => credential === 'session',
    async check({ send, world: { ours } }) {
      expectRefusal(await send(ours.adminKey), 'CA006');
      expectRefusal(await send(ours.readOnlyKey), 'CA006');
    },
  },
  {
    title: '403 CA005 with a read-only key, whether or not the body is right',
    applies: (declaration) => takesKeys(declaration) && isBeyondReaders(declaration),
    async check({ call, send, declaration, world: { ours } }) {
      const token = ours.readOnlyKey;
      expectRefusal(await send(token), 'CA005');
      for (const body of [{ body: {} }, ...unreadableBodies(declaration)]) {
        expectRefusal(await call({ token, ...body }), 'CA005');
      }
    },
  },
  {
    title: 'lets a read-only key read, without naming its organisation',
    applies: (declaration) => takesKeys(declaration) && !isBeyondReaders(declaration),
    async check({ send, declaration, world: { ours } }) {
      const answer = await send(
        ours.readOnlyKey,
        mustNameOrganisation(declaration) ? {} : { targetOrganisationId: undefined },
      );
      // Let in; but no repository host is there in these tests.
      const isAboutRepository =
        (declaration.errors?.includes('VA003') && /^VA00[13]$/.test(answer.body.code as string)) ||
        (declaration.path.endsWith('/branches') && answer.body.code === 'NF001');
      // The same: behind no database is a server.
      const isAboutServer = declaration.resource?.kind === 'database' && answer.body.code === 'CF001';
      if (!isAboutRepository && !isAboutServer) expect(answer.status).toBe(declaration.status);
    },
  },
  {
    title: '403 CA005 for a member whose role is too low',
    applies: ({ permission, minimumRole }) =>
      permission !== null && (minimumRole !== undefined || !roleHas('user', permission)),
    async check({ send, declaration, world: { member, admin } }) {
      const tooLow = declaration.minimumRole === 'owner' ? [member, admin] : [member];
      for (const { token } of tooLow) expectRefusal(await send(token), 'CA005');
    },
  },
  {
    title: '403 for another organisation: CA004 with a session, CA003 with a key, whether or not the body is right',
    applies: hasOrganisation,
    async check({ send, declaration, world: { ours, theirs } }) {
      for (const targetOrganisationId of [theirs.organisationId, 'org_nowhere']) {
        expectRefusal(await send(ours.owner.token, { targetOrganisationId }), 'CA004');
        const unusable = { targetOrganisationId, applicationId: 5, projectId: 5, name: 5 };
        expectRefusal(await send(ours.owner.token, unusable), 'CA004');
        const asKey = declaration.credential === 'any' ? 'CA003' : 'CA006';
        expectRefusal(await send(ours.adminKey, { targetOrganisationId }), asKey);
      }
    },
  },
  {
    title: '400 CA007 with a session that names no organisation',
    applies: (declaration) => hasOrganisation(declaration) && !declaration.infersOrganisation,
    async check({ send, world: { ours } }) {
      expectRefusal(await send(ours.owner.token, { targetOrganisationId: undefined }), 'CA007');
      expectRefusal(await send(ours.owner.token, { targetOrganisationId: '' }), 'CA007');
    },
  },
  {
    title: '404 NF001 for what another organisation has, with the very answer for what does not exist',
    applies: ({ resource }) => resource !== undefined,
    async check({ send, declaration, world: { ours, theirs } }) {
      const { field, kind } = declaration.resource!;
      for (const token of [ours.owner.token, ours.adminKey]) {
        const foreign = await send(token, { [field]: theirs[kind].id });
        expectRefusal(foreign, 'NF001');
        expect(foreign.body).toEqual((await send(token, { [field]: 'nowhere' })).body);
      }
    },
  },
  {
    title: '404 NF001 for any other id of another organisation',
    applies: (declaration) => Object.keys(fieldsOf(declaration)).some((field) => field in FOREIGN_IDS),
    async check({ send, declaration, world: { ours, theirs } }) {
      for (const field of Object.keys(fieldsOf(declaration)).filter((name) => name in FOREIGN_IDS)) {
        expectRefusal(await send(ours.owner.token, { [field]: FOREIGN_IDS[field]!(theirs) }), 'NF001', field);
      }
    },
  },
];

/** Ids that handlers look up by themselves, in the fields that carry them. */
const FOREIGN_IDS: Record<string, (theirs: Subject['world']['theirs']) => string> = {
  keyId: ({ keyId }) => keyId,
  userId: ({ owner }) => owner.userId,
  sessionId: ({ owner }) => owner.sessionId,
  invitationId: ({ invitationId }) => invitationId,
  targetFolderId: ({ project }) => project.id,
};
