import { featureFlags } from '@lilac/contract/endpoint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiKey, createOwner } from '../../testing/factories.ts';
import { createStandInEngine } from '../databases/testing/stand-in-engine.ts';
import { thisMachine } from '../databases/tier.ts';
import { startApi, type TestApi } from '../../testing/harness.ts';

let api: TestApi;
let token: string;
beforeAll(async () => {
  api = await startApi({ config: { featureSwitches: { provider2: false, data_explorer: true } } });
  token = (await createOwner(api)).token;
});
afterAll(() => api[Symbol.asyncDispose]());

const get = (path: string) => api.call(path, { token });

describe('GET /api/health', () => {
  it('answers without a credential, and for longer each time', async () => {
    const first = await api.call('/api/health');
    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      status: 'ok',
      timestamp: api.clock.now().toISOString(),
      uptime: expect.any(Number),
    });
    expect((await api.call('/api/health')).body.uptime).toBeGreaterThan(first.body.uptime);
  });
});

describe('GET /api/config/platform', () => {
  it('shows the catalogue to a person and to a key, and to nobody else', async () => {
    const owner = await createOwner(api);
    const { secret } = await createApiKey(api, { ...owner, role: 'user' });
    const { status, body } = await api.call('/api/config/platform', { token: secret });
    expect(status).toBe(200);
    expect(body).toEqual((await get('/api/config/platform')).body);
    expect((await api.call('/api/config/platform')).status).toBe(401);
  });

  it('names at least one region, the sizes, the tiers of the specification, the plans and the limits', async () => {
    const { body } = await get('/api/config/platform');
    expect(body.regions).toContainEqual({ id: 'local', label: expect.any(String), tier: expect.any(String) });
    expect(body.containerSizes).toContainEqual({ id: 'small', vcpu: 0.5, memory: '512Mi', maxConcurrency: 160 });
    expect(body.plans).toEqual([
      { id: 'free', apiKeys: false, maxInstances: 3 },
      { id: 'pro', apiKeys: true, maxInstances: 20 },
      { id: 'enterprise', apiKeys: true, maxInstances: 100 },
    ]);
    expect(body.limits).toEqual({
      uploadMaxBytes: 104_857_600,
      logRetentionDays: 7,
      deploymentHistory: 20,
      rollbackWindow: 10,
    });
    expect(body.appsDomain).toBe('localhost');
  });

  it('says where repositories may be, and whether private ones are reached there', async () => {
    const { body } = await get('/api/config/platform');
    expect(body.repositoryHosts).toMatchObject([
      { id: 'provider1', url: api.config.vcsUrls.provider1.origin, enabled: true, configured: false },
      { id: 'provider2', enabled: false, configured: false },
      { id: 'provider3', enabled: true, configured: false },
    ]);
  });

  it('says which databases can be made here, of which version, or what is missing', async () => {
    const engines = { postgresql: createStandInEngine('postgresql'), mysql: createStandInEngine('mysql') };
    engines.mysql.missing = 'Install MariaDB.';
    await using lacking = await startApi({ engines });
    const { token } = await createOwner(lacking);
    const { body } = await lacking.call('/api/config/platform', { token });
    expect(body.databaseTypes).toEqual([
      { id: 'postgresql', label: 'PostgreSQL', available: true, version: '18', missing: null },
      { id: 'mysql', label: 'MySQL (MariaDB)', available: false, version: null, missing: 'Install MariaDB.' },
    ]);
  });

  it('names a dedicated tier after what it has', async () => {
    const { body } = await get('/api/config/platform');
    const tiers: { id: string; dedicated: boolean; vcpu: number; memoryMb: number }[] = body.databaseTiers;
    expect(tiers.filter((tier) => !tier.dedicated).map((tier) => tier.id)).toEqual(['db-f1-micro', 'db-g1-small']);
    const dedicated = tiers.filter((tier) => tier.dedicated);
    expect(dedicated.length).toBeGreaterThan(0);
    for (const { id, vcpu, memoryMb } of dedicated) expect(id).toBe(`db-custom-${vcpu}-${memoryMb}`);
  });

  it('says which tiers this machine has enough for: those that can be made', async () => {
    const { body } = await get('/api/config/platform');
    const tiers: { dedicated: boolean; available: boolean; vcpu: number; memoryMb: number }[] = body.databaseTiers;
    const { cpus, memoryMb: memory } = thisMachine();
    for (const { dedicated, available, vcpu, memoryMb } of tiers) {
      expect(available).toBe(!dedicated || (vcpu <= cpus && memoryMb <= memory));
    }
  });
});

describe('GET /api/config/feature-flags', () => {
  it('lists the flags that are on: what is not switched off is on', async () => {
    const { body } = await get('/api/config/feature-flags');
    expect(body.map).toEqual({ data_explorer: true, database_dump: true, provider2: false, provider3: true });
    expect(Object.keys(body.map)).toEqual([...featureFlags]);
    expect(body.flags).toEqual(['data_explorer', 'database_dump', 'provider3']);
  });
});

describe('GET /api/config/containerplatform', () => {
  it('shows the same sizes as the catalogue, and the range of instances', async () => {
    const { body } = await get('/api/config/containerplatform');
    const { containerSizes } = (await get('/api/config/platform')).body;
    expect(body.sizes.map(({ cpu, ...size }: { cpu: string }) => ({ ...size, vcpu: Number(cpu) }))).toEqual(
      containerSizes,
    );
    expect(body.scaling).toEqual({ minInstances: [0, 5], maxInstances: [1, 100] });
  });
});

describe('GET /api/config/containerplatform/compatible', () => {
  it('lists the CPUs that go with the memory', async () => {
    const { status, body } = await get('/api/config/containerplatform/compatible?memory=512Mi');
    expect(status).toBe(200);
    expect(body).toEqual({ memory: '512Mi', cpu: ['0.08', '0.25', '0.5', '1', '2'] });
  });

  it('400 for a memory that is not offered, naming those that are', async () => {
    for (const memory of ['513Mi', '512mi', '512', '__proto__', '-1Gi']) {
      const refused = await get(`/api/config/containerplatform/compatible?memory=${memory}`);
      expect(refused).toMatchObject({ status: 400, body: { code: 'VA001' } });
      expect(refused.body.message).toContain('128Mi, 256Mi, 512Mi');
    }
  });

  it('400 when memory is missing', async () => {
    const refused = await get('/api/config/containerplatform/compatible');
    expect(refused).toMatchObject({ status: 400, body: { code: 'VA001' } });
    expect(refused.body.message).toContain('memory');
  });
});
