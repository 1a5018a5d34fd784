import { noDomain } from '@lilac/contract/domain-steps';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EnvironmentRow } from '../../db/schema.ts';
import { DnsUnavailable } from '../../dns/dns-lookup.ts';
import type { TestOwner } from '../../testing/factories.ts';
import { giveDomain } from './give-domain.ts';
import { domainSteps, linkOf, pathOf } from './testing/domain-steps.ts';
import { ADDRESSES, openDomainWorld, type DomainWorld } from './testing/domain-world.ts';

let world: DomainWorld;
let owner: TestOwner;
let other: TestOwner;
beforeAll(async () => {
  world = await openDomainWorld();
  [owner, other] = [await world.newOwner(), await world.newOwner()];
});
afterAll(() => world[Symbol.asyncDispose]());

const { certificateOf, refusal, rename, textFor } = domainSteps(() => ({ world, owner }));
const unavailable = () => Promise.reject(new DnsUnavailable('The servers fail.'));

describe('a name that is taken', () => {
  it('within the organisation is refused, with who has it', async () => {
    const [first, second] = [await world.newEnvironment(owner), await world.newEnvironment(owner)];
    await world.domain('add', first, { domain: 'www.ours.example' });
    const { message, code } = await refusal('add', { environmentId: second.id, domain: 'www.ours.example' });
    expect(code).toBe('CF001');
    expect(message).toMatch(/^www\.ours\.example is the domain of \S+ \/ production\. Remove it there first\.$/);
  });

  it('by another organisation that never proved it goes to who does', async () => {
    const [theirs, ours] = [await world.newEnvironment(other), await world.newEnvironment(owner)];
    const domain = 'www.squatted.example';
    await world.domain('add', theirs, { domain });
    const text = textFor(owner, domain);
    expect(await refusal('add', { environmentId: ours.id, domain })).toEqual({
      status: 409,
      code: 'CF001',
      message: `Another organisation of this platform has ${domain}. If it is yours, create a TXT record at ${text.name} with the value ${text.value}, and add it again.`,
    });
    await world.link(ours, domain);
    expect(await world.domain('add', ours, { domain })).toMatchObject({ domain });
    expect(await world.domain('check', theirs)).toEqual(noDomain);
    expect(await world.environmentOf(theirs)).toMatchObject({ custom_domain: null });
    expect(await world.actionsOf(theirs)).toEqual(['custom_domain_updated', 'custom_domain_lost']);
    expect(await world.look(ours)).toMatchObject({ dns_verified: true });
  });

  it('by another organisation that proved it goes to who shows the text, once their own proof is gone', async () => {
    const [theirs, ours] = [await world.newEnvironment(other), await world.newEnvironment(owner)];
    const domain = 'www.sold.example';
    await world.link(theirs, domain);
    await world.domain('add', theirs, { domain });
    await world.look(theirs);
    const text = textFor(owner, domain);
    await world.dns.add(text);
    const { message } = await refusal('add', { environmentId: ours.id, domain });
    expect(message).toContain(`remove the CNAME record at ${domain}, and create a TXT record`);
    expect(await world.routeOf(theirs)).toMatchObject({ domain });
    // A link to another environment is not enough to take it from who proved it.
    await world.dns.remove(({ name }) => name === domain || name === text.name);
    await world.link(ours, domain);
    expect(await refusal('add', { environmentId: ours.id, domain })).toMatchObject({ code: 'CF001' });
    await world.dns.add(text);
    expect(await world.domain('add', ours, { domain })).toMatchObject({ domain });
    expect(await world.routeOf(theirs)).toEqual({ domain: null, atSubdomain: true });
    expect(await world.actionsOf(theirs)).toContain('custom_domain_lost');
    expect((await world.logOf(theirs)).at(-1)).toMatch(/^WARN The domain www\.sold\.example was taken over/);
    expect(await certificateOf(domain)).toBeUndefined();
    expect(await world.look(ours)).toMatchObject({ dns_verified: true });
  });

  it('stays with who proved it where their own proof cannot be asked for', async () => {
    const [theirs, ours] = [await world.newEnvironment(other), await world.newEnvironment(owner)];
    const domain = 'www.unheard.example';
    await world.link(theirs, domain);
    await world.domain('add', theirs, { domain });
    await world.look(theirs);
    await world.dns.add(textFor(owner, domain));
    const deps = { ...world.deps, dns: { ...world.deps.dns, aliases: unavailable } };
    const taking = giveDomain(deps, {
      environment: ours,
      hostname: domain,
      caller: { kind: 'key', keyId: 'key_1' },
      replaces: false,
    });
    await expect(taking).rejects.toMatchObject({
      code: 'CF001',
      message: expect.stringContaining('The servers fail.'),
    });
    expect(await world.routeOf(theirs)).toMatchObject({ domain });
  });

  it('stays with who proves it between our look and our taking it', async () => {
    const [theirs, ours] = [await world.newEnvironment(other), await world.newEnvironment(owner)];
    const domain = 'www.raced.example';
    await world.domain('add', theirs, { domain });
    const { id } = (await world.rowOf(theirs))!;
    const texts = async () => {
      await world.api.store.db.updateTable('domains').set({ verified_at: new Date() }).where('id', '=', id).execute();
      return [textFor(owner, domain).value];
    };
    const deps = { ...world.deps, dns: { ...world.deps.dns, texts } };
    const caller = { kind: 'key', keyId: 'key_1' } as const;
    const taking = giveDomain(deps, { environment: ours, hostname: domain, caller, replaces: false });
    await expect(taking).rejects.toMatchObject({ code: 'CF001', message: expect.stringContaining('Try again') });
    expect(await world.rowOf(theirs)).toMatchObject({ id, hostname: domain });
    expect(await world.environmentOf(theirs)).toMatchObject({ custom_domain: domain });
  });

  it('and another, of two who take them from each other at the same moment, change hands', async () => {
    const [theirs, ours] = [await world.newEnvironment(other), await world.newEnvironment(owner)];
    const swapped = async (first: string, second: string) => {
      await world.domain('update', theirs, { newDomain: first });
      await world.domain('update', ours, { newDomain: second });
      await world.dns.add(textFor(other, second), textFor(owner, first));
      const give = (environment: EnvironmentRow, hostname: string) =>
        giveDomain(world.deps, { environment, hostname, caller: { kind: 'key', keyId: 'key_1' }, replaces: true });
      await Promise.all([give(theirs, second), give(ours, first)]);
      const names = [theirs, ours].map(async (each) => (await world.environmentOf(each)).custom_domain);
      expect(await Promise.all(names)).toEqual([second, first]);
    };
    for (const round of [1, 2, 3]) await swapped(`www.swap${round}.example`, `www.paws${round}.example`);
  });

  it('is given to one of those who want it at the same moment', async () => {
    const environments = await Promise.all([owner, other, owner, other].map((who) => world.newEnvironment(who)));
    const answers = await Promise.all(
      environments.map(({ id: environmentId, organisation_id }) =>
        world.call(
          pathOf('add'),
          { environmentId, domain: 'www.wanted.example' },
          organisation_id === owner.organisationId ? owner : other,
        ),
      ),
    );
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409', '409', '409']);
  });
});

describe('addresses that all on this platform share', () => {
  const [address] = ADDRESSES as [string];

  it('prove a name that nobody else is near', async () => {
    const environment = await world.newEnvironment(owner);
    await world.dns.add({ type: 'A', name: 'alone.example', value: address });
    await world.domain('add', environment, { domain: 'alone.example' });
    expect(await world.look(environment)).toMatchObject({ dns_verified: true });
  });

  it.each([
    ['above', 'a.example', 'deep.b.a.example'],
    ['below', 'deep.b.c.example', 'c.example'],
    ['beside', 'x.d.example', 'y.d.example'],
    ['a wildcard above', '*.e.example', 'x.e.example'],
    ['of the same domain at another depth', 'www.h.example', 'login.sso.h.example'],
  ])('prove nothing where another organisation has a name %s', async (_title, hers, wanted) => {
    const [theirs, ours] = [await world.newEnvironment(other), await world.newEnvironment(owner)];
    await world.domain('add', theirs, { domain: hers });
    await world.dns.add(textFor(other, hers), { type: 'A', name: wanted, value: address });
    await world.look(theirs);
    await world.domain('add', ours, { domain: wanted });
    const text = textFor(owner, wanted);
    const state = await world.look(ours);
    expect(state).toMatchObject({ dns_verified: false, error: expect.stringContaining(text.value) });
    expect(await world.routeOf(ours).catch(() => null)).toBeNull();
    await world.dns.add(text);
    expect(await world.look(ours)).toMatchObject({ dns_verified: true, error: null });
  });

  it('prove a name though another organisation says, and has not shown, that one near it is theirs', async () => {
    const [theirs, ours] = [await world.newEnvironment(other), await world.newEnvironment(owner)];
    await world.domain('add', theirs, { domain: 'claimed.i.example' });
    await world.dns.add({ type: 'A', name: 'www.i.example', value: address });
    await world.domain('add', ours, { domain: 'www.i.example' });
    expect(await world.look(ours)).toMatchObject({ dns_verified: true, error: null });
  });

  it('prove a name where those near are of the same organisation, or share the top-level domain only', async () => {
    const [first, second, third] = [
      await world.newEnvironment(owner),
      await world.newEnvironment(owner),
      await world.newEnvironment(other),
    ];
    await world.domain('add', first, { domain: 'x.f.example' });
    await world.domain('add', third, { domain: 'g.example' });
    await world.dns.add({ type: 'A', name: 'y.f.example', value: address });
    await world.domain('add', second, { domain: 'y.f.example' });
    expect(await world.look(second)).toMatchObject({ dns_verified: true });
  });

  it('prove nothing, nor does a link, where another organisation had the name and left records behind', async () => {
    const [theirs, ours] = [await world.newEnvironment(other), await world.newEnvironment(owner)];
    const domain = 'www.left.example';
    await world.link(theirs, domain);
    await world.domain('add', theirs, { domain });
    await world.look(theirs);
    await world.call('/api/applications/delete', { applicationId: theirs.application_id }, other);
    await world.dns.remove(({ name }) => name === domain);
    await world.link(ours, domain);
    const { records } = await world.domain('add', ours, { domain });
    const text = textFor(owner, domain);
    expect(records).toEqual([linkOf(domain, ours), text]);
    expect(await world.look(ours)).toMatchObject({ dns_verified: false, error: expect.stringContaining(text.value) });
    await world.dns.add(text);
    expect(await world.look(ours)).toMatchObject({ dns_verified: true });
  });
});

describe('a generated name that another organisation had', () => {
  it.each(['renamed', 'deleted'])(
    'proves nothing by the links that still lead to it: its application was %s',
    async (end) => {
      const [theirs, ours] = [await world.newEnvironment(other), await world.newEnvironment(owner)];
      const { subdomain } = theirs;
      const domain = `login.${subdomain}.example`;
      await world.link(theirs, domain);
      if (end === 'renamed') await rename(theirs, `${subdomain} two`, other);
      else await world.call('/api/applications/delete', { applicationId: theirs.application_id }, other);
      await rename(ours, subdomain, owner);
      expect(await world.environmentOf(ours)).toMatchObject({ subdomain });
      await world.domain('add', ours, { domain });
      const text = textFor(owner, domain);
      expect(await world.look(ours)).toMatchObject({ dns_verified: false, error: expect.stringContaining(text.value) });
      expect(await certificateOf(domain)).toBeUndefined();
      await world.dns.add(text);
      expect(await world.look(ours)).toMatchObject({ dns_verified: true });
    },
  );
});

describe('an environment that is deleted', () => {
  it('gives its name up at once', async () => {
    const environment = await world.newEnvironment(owner);
    await world.domain('add', environment, { domain: 'www.freed.example' });
    await world.call('/api/applications/delete', { applicationId: environment.application_id }, owner);
    expect(await world.rowOf(environment)).toBeUndefined();
    expect(await world.routeOf(environment)).toMatchObject({ domain: null });
    const next = await world.newEnvironment(owner);
    expect(await world.domain('add', next, { domain: 'www.freed.example' })).toMatchObject({
      domain: 'www.freed.example',
    });
    const late = { environmentId: environment.id, domain: 'www.late.example' };
    expect(await refusal('add', late)).toMatchObject({ code: 'CF001' });
  });
});
