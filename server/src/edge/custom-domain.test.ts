import { describe, expect, it } from 'vitest';
import type { Route } from '../routing/route.ts';
import { startTestEdge } from '../testing/start-test-edge.ts';
import { instancesOf } from './instances/testing/gate-rig.ts';
import { startInstance } from './instances/testing/start-instance.ts';

const generated = 'shop.apps.test';
const own = 'www.example.org';

/** An edge with an environment, which answers with its instance's name. */
async function startShop(change: Partial<Route>) {
  const edge = await startTestEdge(null, { holdMs: 50 });
  const { address } = await startInstance('shop');
  const target = { ...instancesOf([], { concurrency: 50 }), instances: [address] };
  const base = { environmentId: 'env_1', subdomain: 'shop', lock: null, accessLog: false, version: 1, target };
  const publish = (next: Partial<Route>) => edge.routes.set({ ...base, domain: null, atSubdomain: true, ...next });
  publish(change);
  const get = async (host: string, headers = {}) => {
    const { status, body, headers: answered } = await edge.call({ host, headers });
    return { status, body, error: answered['x-lilac-error'] };
  };
  return { edge, target, publish, get };
}

const served = { status: 200, body: 'shop' };

describe('an environment with a domain of its own', () => {
  it('answers at it, and at its subdomain too', async () => {
    const { get } = await startShop({ domain: own });
    expect(await get(own)).toMatchObject(served);
    expect(await get('WWW.Example.Org.')).toMatchObject(served);
    expect(await get(generated)).toMatchObject(served);
  });

  it('stops to answer at it as soon as it is taken away, and another answers in its place', async () => {
    const { edge, get, publish, target } = await startShop({ domain: own });
    expect(await get(own)).toMatchObject(served);
    publish({});
    expect(await get(own)).toMatchObject({ status: 404, body: expect.stringContaining('is not known here') });
    const blog = { environmentId: 'env_2', subdomain: 'blog', lock: null, accessLog: false, atSubdomain: true };
    edge.routes.set({ ...blog, target, domain: own, version: 2 });
    expect(await get(own)).toMatchObject(served);
  });

  it('answers at every name one label below a star, but where another environment has that very name', async () => {
    const { edge, get, target } = await startShop({ domain: '*.example.org' });
    const other = { environmentId: 'env_2', subdomain: 'other', lock: null, accessLog: false, atSubdomain: true };
    const { address } = await startInstance('other');
    edge.routes.set({ ...other, target: { ...target, instances: [address] }, domain: 'a.example.org', version: 2 });
    expect(await get('b.example.org')).toMatchObject(served);
    expect(await get('a.example.org')).toMatchObject({ status: 200, body: 'other' });
    for (const host of ['example.org', 'a.b.example.org', 'other.org']) expect((await get(host)).status).toBe(404);
  });

  it('answers nowhere else when its subdomain is switched off, save to who checks its releases', async () => {
    const { get, publish, target } = await startShop({ domain: own, atSubdomain: false });
    expect(await get(own)).toMatchObject(served);
    const off = { status: 404, error: 'NF001', body: expect.stringContaining('not reached at this address') };
    expect(await get(generated)).toMatchObject(off);
    const probe = { token: 'a-long-token', instances: target.instances };
    publish({ domain: own, atSubdomain: false, target: { ...target, probe } });
    expect(await get(generated, { 'x-lilac-probe': 'a-long-token' })).toMatchObject(served);
    expect(await get(generated, { 'x-lilac-probe': 'another-token' })).toMatchObject(off);
  });

  it('cannot take the place of a subdomain by its name', async () => {
    const { get } = await startShop({ subdomain: 'other', domain: 'shop' });
    expect((await get(generated)).status).toBe(404);
  });
});
