import { noDomain } from '@lilac/contract/domain-steps';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportEdge } from '../../routing/route-store.ts';
import { eventually } from '../../testing/eventually.ts';
import type { TestOwner } from '../../testing/factories.ts';
import { domainSteps, linkOf, pathOf } from './testing/domain-steps.ts';
import { ADDRESSES, openDomainWorld, type DomainWorld } from './testing/domain-world.ts';

let world: DomainWorld;
let owner: TestOwner;
beforeAll(async () => {
  world = await openDomainWorld();
  owner = await world.newOwner();
});
afterAll(() => world[Symbol.asyncDispose]());

const { certificateOf, refusal, update } = domainSteps(() => ({ world, owner }));

describe('add-domain', () => {
  it('answers at once with the record to create; nothing is served yet', async () => {
    const environment = await world.newEnvironment(owner);
    expect(await world.domain('add', environment, { domain: ' WWW.One.Example. ' })).toEqual({
      domain: 'www.one.example',
      dns_verified: false,
      dns_status: 'unchecked',
      certificate_status: 'provisioning',
      records: [linkOf('www.one.example', environment)],
      error: null,
      url: 'https://www.one.example',
      auto_subdomain: true,
    });
    expect(await world.environmentOf(environment)).toMatchObject({ custom_domain: 'www.one.example' });
    expect(await world.actionsOf(environment)).toEqual(['custom_domain_updated']);
    expect(await certificateOf('www.one.example')).toBeUndefined();
    expect(await world.secondsToCheck(environment)).toBeLessThanOrEqual(0);
  });

  it('of the same name again changes nothing; of another is refused', async () => {
    const environment = await world.newEnvironment(owner);
    const first = await world.domain('add', environment, { domain: 'www.again.example' });
    expect(await world.domain('add', environment, { domain: 'WWW.again.example.' })).toEqual(first);
    expect(await world.actionsOf(environment)).toEqual(['custom_domain_updated']);
    expect(await refusal('add', { environmentId: environment.id, domain: 'www.other.example' })).toEqual({
      status: 409,
      code: 'CF001',
      message: 'This environment has the domain www.again.example, and can have one only. Replace it by update-domain.',
    });
  });

  it('names the environment itself, or its application, or the other path', async () => {
    const environment = await world.newEnvironment(owner);
    const { id: environmentId, application_id: applicationId } = environment;
    const added = await world.call(pathOf('add'), { applicationId, domain: 'by.application.example' }, owner);
    expect(added.body).toMatchObject({ domain: 'by.application.example' });
    for (const path of [pathOf('check'), '/api/environments/check-domain']) {
      expect((await world.call(path, { environmentId }, owner)).body).toMatchObject({
        domain: 'by.application.example',
      });
    }
    expect((await world.call(pathOf('check'), { applicationId }, owner)).body.domain).toBe('by.application.example');
    expect((await world.call(pathOf('remove'), { applicationId }, owner)).body).toEqual(noDomain);
    const again = { environmentId, domain: 'by.environment.example' };
    expect((await world.call('/api/environments/add-domain', again, owner)).body.domain).toBe('by.environment.example');
    const retried = await world.call('/api/environments/retry-domain', { environmentId }, owner);
    expect(retried.body).toMatchObject({ dns_verified: false, error: expect.stringMatching(/^No CNAME record/) });
    expect(await refusal('check', {})).toMatchObject({ status: 400, code: 'VA001' });
  });

  it.each([
    'localhost',
    '192.0.2.1',
    'x.apps.test',
    'hub.example',
    'login.hub.example',
    'https://a.example',
    '*.example',
    'nas.local',
  ])('refuses %s', async (domain) => {
    const { id: environmentId } = await world.newEnvironment(owner);
    expect(await refusal('add', { environmentId, domain })).toMatchObject({
      status: 400,
      code: 'VA001',
      message: expect.stringMatching(/^domain must be/),
    });
    expect(await refusal('update', { environmentId, newDomain: domain })).toMatchObject({
      message: expect.stringMatching(/^newDomain must be/),
    });
  });

  it('asks for addresses where a zone begins', async () => {
    await world.dns.add({ type: 'SOA', name: 'firm.co.example', value: '' });
    for (const domain of ['apex.example', 'firm.co.example']) {
      const environment = await world.newEnvironment(owner);
      const { records } = await world.domain('add', environment, { domain });
      expect(records).toEqual([
        { type: 'A', name: domain, value: ADDRESSES[0] },
        { type: 'AAAA', name: domain, value: ADDRESSES[1] },
      ]);
    }
  });
});

describe('update-domain', () => {
  it('replaces the name: the old one is free and no longer served', async () => {
    const environment = await world.newEnvironment(owner);
    await world.link(environment, 'www.old.example');
    await world.domain('add', environment, { domain: 'www.old.example' });
    await world.look(environment);
    const state = await world.domain('update', environment, { newDomain: 'www.new.example' });
    expect(state).toMatchObject({ domain: 'www.new.example', dns_verified: false, error: null });
    expect(await world.routeOf(environment)).toEqual({ domain: null, atSubdomain: true });
    expect(await certificateOf('www.old.example')).toBeUndefined();
    expect(await world.environmentOf(environment)).toMatchObject({ custom_domain: 'www.new.example' });
    expect(await world.actionsOf(environment)).toEqual([
      'custom_domain_updated',
      'custom_domain_verified',
      'custom_domain_updated',
    ]);
    const another = await world.newEnvironment(owner);
    expect(await world.domain('add', another, { domain: 'www.old.example' })).toMatchObject({
      domain: 'www.old.example',
    });
  });

  it('keeps the old one when the new one is somebody’s', async () => {
    const [environment, neighbour] = [await world.newEnvironment(owner), await world.newEnvironment(owner)];
    await world.domain('add', environment, { domain: 'www.kept.example' });
    await world.domain('add', neighbour, { domain: 'www.hers.example' });
    const body = { environmentId: environment.id, newDomain: 'www.hers.example' };
    expect(await refusal('update', body)).toMatchObject({ code: 'CF001' });
    expect(await world.domain('check', environment)).toMatchObject({ domain: 'www.kept.example' });
  });

  it('gives one to what has none', async () => {
    const environment = await world.newEnvironment(owner);
    const state = await world.domain('update', environment, { newDomain: 'www.first.example' });
    expect(state).toMatchObject({ domain: 'www.first.example' });
  });
});

describe('remove-domain', () => {
  it('stops it, frees it, and leaves the generated name', async () => {
    const environment = await world.newEnvironment(owner);
    await world.link(environment, 'www.gone.example');
    await world.domain('add', environment, { domain: 'www.gone.example' });
    await world.look(environment);
    expect(await world.domain('remove', environment)).toEqual(noDomain);
    expect(await world.domain('remove', environment)).toEqual(noDomain);
    expect(await world.routeOf(environment)).toEqual({ domain: null, atSubdomain: true });
    expect(await world.environmentOf(environment)).toMatchObject({ custom_domain: null, hides_subdomain: false });
    expect(await certificateOf('www.gone.example')).toBeUndefined();
    expect((await world.actionsOf(environment)).slice(-2)).toEqual(['custom_domain_verified', 'custom_domain_removed']);
  });

  it('switches the generated name off too, until there is a domain again', async () => {
    const environment = await world.newEnvironment(owner);
    await world.domain('add', environment, { domain: 'www.hidden.example' });
    const off = await world.domain('remove', environment, { revertToAutoSubdomain: false });
    expect(off).toEqual({ ...noDomain, auto_subdomain: false });
    expect(await world.domain('check', environment)).toEqual(off);
    expect(await world.routeOf(environment)).toEqual({ domain: null, atSubdomain: false });
    await world.domain('add', environment, { domain: 'www.hidden.example' });
    expect(await world.routeOf(environment)).toEqual({ domain: null, atSubdomain: true });
    await world.domain('remove', environment, { revertToAutoSubdomain: false });
    await world.domain('remove', environment);
    expect(await world.routeOf(environment)).toEqual({ domain: null, atSubdomain: true });
  });

  it('leaves the generated name to what has no other', async () => {
    const environment = await world.newEnvironment(owner);
    const body = { environmentId: environment.id, revertToAutoSubdomain: false };
    expect(await refusal('remove', body)).toMatchObject({ status: 409, code: 'CF001' });
    expect(await world.environmentOf(environment)).toMatchObject({ hides_subdomain: false });
    expect(await world.actionsOf(environment)).toEqual([]);
  });

  it('answers when every edge has heard of it', async () => {
    const environment = await world.newEnvironment(owner);
    await world.link(environment, 'www.slow.example');
    await world.domain('add', environment, { domain: 'www.slow.example' });
    await world.look(environment);
    const { db } = world.api.store;
    await reportEdge(db, 'a slow edge', 0);
    let isAnswered = false;
    const removing = world.domain('remove', environment).then(() => (isAnswered = true));
    await eventually('it is withdrawn', async () => (await world.routeOf(environment)).domain === null);
    expect(isAnswered).toBe(false);
    await reportEdge(db, 'a slow edge', Number.MAX_SAFE_INTEGER);
    await removing;
    await db.deleteFrom('edges').execute();
  });
});

describe('retry-domain', () => {
  it('looks at once, and has the certificate tried again', async () => {
    const environment = await world.newEnvironment(owner);
    const domain = 'www.retried.example';
    await world.domain('add', environment, { domain });
    await world.look(environment);
    await world.link(environment, domain);
    expect(await world.domain('retry', environment)).toMatchObject({ dns_verified: true, error: null });
    expect((await world.actionsOf(environment)).slice(-2)).toEqual(['custom_domain_retried', 'custom_domain_verified']);
    const { db } = world.api.store;
    const failed = { status: 'failed', error: 'No.', next_try_at: new Date(Date.now() + 3_600_000) } as const;
    await db.updateTable('certificates').set(failed).where('hostname', '=', domain).execute();
    await world.domain('retry', environment);
    expect(await certificateOf(domain)).toMatchObject({ next_try_at: null });
  });

  it('has no certificate ordered while the name leads elsewhere, or nobody can tell', async () => {
    const environment = await world.newEnvironment(owner);
    const domain = 'www.strayed.example';
    await world.domain('add', environment, { domain });
    await world.link(environment, domain);
    await world.look(environment);
    const failed = { status: 'failed', error: 'No.', next_try_at: new Date(Date.now() + 3_600_000) } as const;
    await world.api.store.db.updateTable('certificates').set(failed).where('hostname', '=', domain).execute();
    await world.dns.remove(({ name }) => name === domain);
    await world.dns.fail({ servfail: [domain] });
    // Nothing else is known than that it led here before.
    expect(await world.domain('retry', environment)).toMatchObject({
      dns_verified: true,
      // That nobody can tell does not hide why there is no certificate.
      error: expect.stringMatching(/^No\. .*\bDNS\b/) as string,
    });
    expect(await certificateOf(domain)).toMatchObject(failed);
    await world.dns.fail({});
    expect(await world.domain('retry', environment)).toMatchObject({ dns_verified: false });
    expect(await certificateOf(domain)).toMatchObject(failed);
    await world.link(environment, domain);
    await world.domain('retry', environment);
    expect(await certificateOf(domain)).toMatchObject({ error: null, next_try_at: null });
  });

  it('is refused where there is nothing to retry', async () => {
    const { id: environmentId } = await world.newEnvironment(owner);
    expect(await refusal('retry', { environmentId })).toEqual({
      status: 409,
      code: 'CF001',
      message: 'This environment has no domain of its own. Add one first.',
    });
  });
});

describe('customDomain of an environment', () => {
  it('goes the same way', async () => {
    const environment = await world.newEnvironment(owner);
    await world.link(environment, 'www.updated.example');
    expect((await update(environment, 'WWW.updated.example')).body.custom_domain).toBe('www.updated.example');
    expect(await world.look(environment)).toMatchObject({ domain: 'www.updated.example', dns_verified: true });
    expect((await update(environment, null)).body.custom_domain).toBeNull();
    expect(await world.domain('check', environment)).toEqual(noDomain);
    expect(await world.routeOf(environment)).toEqual({ domain: null, atSubdomain: true });
    expect(await world.actionsOf(environment)).toEqual([
      'custom_domain_updated',
      'custom_domain_verified',
      'custom_domain_removed',
    ]);
  });

  it('does not bring back a generated name that was switched off', async () => {
    const environment = await world.newEnvironment(owner);
    await world.domain('add', environment, { domain: 'www.off.example' });
    await world.domain('remove', environment, { revertToAutoSubdomain: false });
    await update(environment, null);
    expect(await world.routeOf(environment)).toMatchObject({ atSubdomain: false });
  });

  it('is refused where somebody has it, and nothing else is changed', async () => {
    const [first, second] = [await world.newEnvironment(owner), await world.newEnvironment(owner)];
    await world.domain('add', first, { domain: 'www.busy2.example' });
    const body = { environmentId: second.id, customDomain: 'www.busy2.example', maxInstances: 3 };
    expect((await world.call('/api/environments/update', body, owner)).body.code).toBe('CF001');
    expect(await world.environmentOf(second)).toMatchObject({
      custom_domain: null,
      max_instances: second.max_instances,
    });
  });
});
