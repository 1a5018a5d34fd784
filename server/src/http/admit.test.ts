import type { EndpointDeclaration } from '@lilac/contract/endpoint';
import type { KeyRole, Role } from '@lilac/contract/permissions';
import type { Plan } from '@lilac/contract/plans';
import { z } from 'zod';
import { describe, expect, it } from 'vitest';
import { Fault } from '../lib/fault.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import type { AccessStore } from './access-store.ts';
import { admit, type AdmissionDeps, type Named } from './admit.ts';
import type { Credential } from './authenticate.ts';

const declaration: EndpointDeclaration = {
  method: 'POST',
  path: '/api/example',
  summary: 'An example',
  credential: 'any',
  permission: 'read:projects',
  organisation: 'body.targetOrganisationId',
  status: 200,
  output: z.object({}),
  cli: null,
  mcp: null,
};

const secretHash = Buffer.alloc(32, 7);
const session: Credential = { kind: 'session', userId: 'usr_1', sessionId: 'ses_1' };
const key: Credential = { kind: 'key', publicId: 'abc', secretHash };
const named: Named = { organisationId: 'org_1', resource: null };

interface Standing {
  role?: Role;
  plan?: Plan;
  storedHash?: Buffer;
  hasEndedSession?: boolean;
  organisations?: string[];
}

function depsFor(standing: Standing = {}) {
  const { role = 'user', plan = 'pro', storedHash = secretHash, hasEndedSession = false } = standing;
  const { organisations = ['org_1'] } = standing;
  const used: string[] = [];
  const access: AccessStore = {
    findMembership: ({ session: asked }) =>
      Promise.resolve({ role, plan, isSessionLive: !(asked && hasEndedSession), resource: null }),
    listOrganisations: (_userId, limit) => Promise.resolve(organisations.slice(0, limit)),
    isSessionLive: () => Promise.resolve(!hasEndedSession),
    findKey: () =>
      Promise.resolve({
        keyId: 'key_1',
        organisationId: 'org_1',
        role: role as KeyRole,
        secretHash: storedHash,
        expiresAt: null,
        revokedAt: null,
        plan,
        resource: null,
      }),
  };
  const deps: AdmissionDeps = {
    access,
    clock: createFakeClock(),
    noteKeyUse: (keyId) => used.push(keyId),
    isFeatureOn: (flag) => flag === 'provider2',
  };
  return { deps, used };
}

const attempt = (change: Partial<EndpointDeclaration>, standing: Standing = {}, credential: Credential = session) =>
  admit(depsFor(standing).deps, { ...declaration, ...change }, { credential, named });

describe('an organisation that is left out', () => {
  const infers = { ...declaration, infersOrganisation: true } as const;
  const leaveOut = (standing: Standing, of: EndpointDeclaration = infers, credential: Credential = session) =>
    admit(depsFor(standing).deps, of, { credential, named: { organisationId: null, resource: null } });

  it("is the person's only one, where the declaration says so and nowhere else", async () => {
    await expect(leaveOut({ organisations: ['org_7'] })).resolves.toMatchObject({ organisation: { id: 'org_7' } });
    await expect(leaveOut({ organisations: ['org_7'] }, declaration)).rejects.toMatchObject({ code: 'CA007' });
  });

  it('must be named by who belongs to several: CA007 that says so; CA004 for who belongs to none', async () => {
    const several = leaveOut({ organisations: ['org_7', 'org_8'] });
    await expect(several).rejects.toMatchObject({ code: 'CA007' });
    await expect(leaveOut({ organisations: ['org_7', 'org_8'] })).rejects.toThrow('name one as targetOrganisationId');
    await expect(leaveOut({ organisations: [] })).rejects.toMatchObject({ code: 'CA004' });
  });

  it('of a key is its own', async () => {
    const admitted = leaveOut({ organisations: [] }, infers, key);
    await expect(admitted).resolves.toMatchObject({ organisation: { id: 'org_1' } });
  });
});

describe('admit', () => {
  it('FF001 while a feature is off, for a session and for a key', async () => {
    await expect(attempt({ feature: 'provider3' })).rejects.toMatchObject({ code: 'FF001' });
    await expect(attempt({ feature: 'provider3' }, {}, key)).rejects.toMatchObject({ code: 'FF001' });
    await expect(attempt({ feature: 'provider3', organisation: null })).rejects.toMatchObject({ code: 'FF001' });
    await expect(attempt({ feature: 'provider2' })).resolves.toMatchObject({ caller: session });
  });

  it('CA002 for an ended session, before the role, where the endpoint needs a live one and nowhere else', async () => {
    const ended = { hasEndedSession: true };
    for (const change of [{ permission: 'update:projects' }, { organisation: null }] as const) {
      const refusal = attempt({ ...change, needsLiveSession: true }, ended);
      await expect(refusal).rejects.toMatchObject({ code: 'CA002' });
    }
    await expect(attempt({}, ended)).resolves.toMatchObject({ caller: session });
    await expect(attempt({ organisation: null }, ended)).resolves.toMatchObject({ caller: session });
    await expect(attempt({ needsLiveSession: true }, ended, key)).resolves.toMatchObject({ organisation: {} });
  });

  it('refuses the role before the plan, and the plan before the feature', async () => {
    const change = { permission: 'update:projects', planFeature: 'apiKeys', feature: 'provider3' } as const;
    await expect(attempt(change, { role: 'user', plan: 'free' })).rejects.toMatchObject({ code: 'CA005' });
    await expect(attempt(change, { role: 'admin', plan: 'free' })).rejects.toMatchObject({ code: 'CA008' });
    await expect(attempt(change, { role: 'admin', plan: 'pro' })).rejects.toMatchObject({ code: 'FF001' });
  });

  it('says what the plan lacks and who can change that, to a session and to a key', async () => {
    const remedy = 'An owner can change the plan (POST /api/organisations/plan), and so can the operator';
    for (const credential of [session, key]) {
      const refusal = attempt({ planFeature: 'apiKeys' }, { plan: 'free' }, credential);
      await expect(refusal).rejects.toThrow('The plan "free" does not include API keys');
      await expect(attempt({ planFeature: 'apiKeys' }, { plan: 'free' }, credential)).rejects.toThrow(remedy);
    }
  });

  it('never lets a key near the organisation itself, whatever its role', async () => {
    for (const permission of ['read:organisations', 'update:organisations'] as const) {
      await expect(attempt({ permission }, { role: 'admin' }, key)).rejects.toMatchObject({ code: 'CA005' });
      await expect(attempt({ permission }, { role: 'admin' })).resolves.toMatchObject({ caller: session });
    }
  });

  it('knows a key by its whole secret', async () => {
    const almost = Buffer.from(secretHash);
    almost[31] = 8;
    await expect(attempt({}, { storedHash: almost }, key)).rejects.toMatchObject({ code: 'CA002' });
    await expect(attempt({}, {}, key)).resolves.toMatchObject({ caller: { kind: 'key', keyId: 'key_1' } });
  });

  it('notes the use of a key that is proven and paid for, and of no other', async () => {
    const accepted = depsFor();
    await admit(accepted.deps, declaration, { credential: key, named });
    expect(accepted.used).toEqual(['key_1']);
    for (const standing of [{ plan: 'free' }, { storedHash: Buffer.alloc(32) }] as const) {
      const { deps, used } = depsFor(standing);
      await expect(admit(deps, declaration, { credential: key, named })).rejects.toBeInstanceOf(Fault);
      expect(used).toEqual([]);
    }
  });
});
