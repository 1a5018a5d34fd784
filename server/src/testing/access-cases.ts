import { keyRoleHas } from '@lilac/contract/permissions';
import type { EndpointDeclaration } from '@lilac/contract/endpoint';
import { toInputSchema } from '@lilac/contract/json-schema';
import { expect } from 'vitest';
import { mintApiKey } from '../modules/api-keys/api-key.ts';
import { expectRefusal, organisationField, type Subject } from './contract-subject.ts';
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
    title: '401 CA001 with the cookie of a session, which opens streams alone',
    applies: (declaration) => isProtected(declaration) && !declaration.stream,
    async check({ send, world: { ours } }) {
      expectRefusal(await send({ cookie: ours.owner.refreshToken }), 'CA001');
    },
  },
  {
    title: '401 CA002 with a credential that is malformed, unknown, expired or revoked, whatever the body',
    applies: isProtected,
    async check({ call, send, declaration, world: { expiredToken, expiredKey, revokedKey, strayProofs } }) {
      const invented = mintApiKey().text;
      const altered = invented.slice(0, -1) + (invented.endsWith('a') ? 'b' : 'a');
      const tokens = ['', 'nonsense', 'a.b.c', 'lc_', altered, invented, expiredToken, expiredKey, revokedKey];
      for (const token of tokens) {
        expectRefusal(await send(token), 'CA002', token);
        for (const broken of unreadableBodies(declaration))
          expectRefusal(await call({ token, ...broken }), 'CA002', token);
      }
      // Proofs of another kind, which open something else.
      for (const token of strayProofs) expectRefusal(await send(token), 'CA002', token);
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
        (declaration.path.endsWith('/branches') && answer.body.code === 'NF001') ||
        (/\/(?:repositories|branches)$/.test(declaration.path) && answer.body.code === 'CF001');
      // The same: behind no database is a server.
      const isAboutServer = declaration.resource?.kind === 'database' && answer.body.code === 'CF001';
      if (!isAboutRepository && !isAboutServer) expect(answer.status).toBe(declaration.status);
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
];
