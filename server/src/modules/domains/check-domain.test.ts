import { noDomain } from '@lilac/contract/domain-steps';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestOwner } from '../../testing/factories.ts';
import { lookAtDomain } from './look-at-domain.ts';
import { domainSteps, linkOf } from './testing/domain-steps.ts';
import { ADDRESSES, openDomainWorld, type DomainWorld } from './testing/domain-world.ts';

let world: DomainWorld;
let owner: TestOwner;
beforeAll(async () => {
  world = await openDomainWorld();
  owner = await world.newOwner();
});
afterAll(() => world[Symbol.asyncDispose]());

const { certificateOf, rename, textFor } = domainSteps(() => ({ world, owner }));
const never = () => new Promise<never>(() => undefined);

describe('check-domain', () => {
  it('tells what is missing, what is wrong, and when it is right; then it is served and a certificate ordered', async () => {
    const environment = await world.newEnvironment(owner);
    const domain = 'www.steps.example';
    await world.domain('add', environment, { domain });
    const target = `${environment.subdomain}.apps.test`;
    expect(await world.look(environment)).toMatchObject({
      dns_verified: false,
      dns_status: 'missing',
      certificate_status: 'provisioning',
      error: `No CNAME record was found at ${domain} yet. Create the CNAME record at ${domain} with the value ${target}.`,
    });
    await world.dns.add({ type: 'A', name: domain, value: '192.0.2.9' });
    expect(await world.look(environment)).toMatchObject({
      dns_verified: false,
      dns_status: 'wrong',
      error: expect.stringContaining(`${domain} has the address 192.0.2.9, which is not this platform's.`),
    });
    await world.dns.remove(({ name }) => name === domain);
    await world.link(environment, domain);
    // Asked a moment later it does not look again.
    expect((await world.domain('check', environment)).error).toContain('192.0.2.9');
    expect(await certificateOf(domain)).toBeUndefined();
    expect(await world.look(environment)).toEqual({
      domain,
      dns_verified: true,
      dns_status: 'found',
      certificate_status: 'provisioning',
      records: [linkOf(domain, environment)],
      error: null,
      url: `https://${domain}`,
      auto_subdomain: true,
    });
    expect(await world.routeOf(environment)).toEqual({ domain, atSubdomain: true });
    expect(await certificateOf(domain)).toMatchObject({ domain_id: (await world.rowOf(environment))!.id });
    expect(await world.actionsOf(environment)).toEqual(['custom_domain_updated', 'custom_domain_verified']);
    await world.look(environment);
    expect(await world.actionsOf(environment)).toHaveLength(2);
  });

  it('of what has none says so', async () => {
    expect(await world.domain('check', await world.newEnvironment(owner))).toEqual(noDomain);
  });

  it('says truthfully that a name no longer leads here; it stays proved, and served', async () => {
    const environment = await world.newEnvironment(owner);
    const domain = 'www.moved.example';
    await world.link(environment, domain);
    await world.domain('add', environment, { domain });
    expect(await world.look(environment)).toMatchObject({ dns_verified: true });
    await world.dns.fail({ servfail: ['moved.example'] });
    await world.dns.remove(({ name }) => name === domain);
    expect(await world.look(environment)).toMatchObject({
      // Nobody can tell at the moment.
      dns_verified: true,
      error: expect.stringContaining('SERVFAIL'),
    });
    await world.dns.fail({});
    expect(await world.look(environment)).toMatchObject({
      dns_verified: false,
      error: expect.stringMatching(/^No CNAME/),
    });
    expect(await world.routeOf(environment)).toMatchObject({ domain });
    await world.link(environment, domain);
    expect(await world.look(environment)).toMatchObject({ dns_verified: true, error: null });
    expect(await world.logOf(environment)).toEqual([
      `INFO The domain ${domain} is proved, and served from now on.`,
      expect.stringMatching(/^WARN The domain www\.moved\.example no longer leads here\. No CNAME record/),
      `INFO The domain ${domain} leads here again.`,
    ]);
    const news = (await world.actionsOf(environment)).slice(-2);
    expect(news).toEqual(['custom_domain_astray', 'custom_domain_back']);
  });

  it('says truthfully that a renamed application is no longer what the record names; it is looked at soon', async () => {
    const environment = await world.newEnvironment(owner);
    const domain = 'www.renamed.example';
    await world.link(environment, domain);
    await world.domain('add', environment, { domain });
    expect(await world.look(environment)).toMatchObject({ dns_verified: true });
    await rename(environment, `${environment.subdomain} two`, owner);
    const { subdomain } = await world.environmentOf(environment);
    expect((await world.rowOf(environment))!.next_check_at!.getTime()).toBeLessThanOrEqual(Date.now());
    expect(await world.look(environment)).toMatchObject({
      dns_verified: false,
      records: [linkOf(domain, { ...environment, subdomain })],
      error: expect.stringContaining(
        `${domain} leads to ${environment.subdomain}.apps.test, which is not this environment's name.`,
      ),
    });
    expect(await world.routeOf(environment)).toMatchObject({ domain });
    await world.dns.remove(({ name }) => name === domain);
    await world.link({ ...environment, subdomain }, domain);
    expect(await world.look(environment)).toMatchObject({ dns_verified: true, error: null });
  });

  it('with the text and somebody else’s address is neither verified nor gets a certificate, unless that passes it on', async () => {
    const environment = await world.newEnvironment(owner);
    const domain = 'www.proxied.example';
    await world.dns.add(textFor(owner, domain), { type: 'A', name: domain, value: '192.0.2.9' });
    await world.domain('add', environment, { domain });
    const { id } = (await world.rowOf(environment))!;
    const lookWith = async (isPassedOn: boolean) => {
      const asked: string[] = [];
      const probe = async (name: string) => {
        asked.push(name);
        return isPassedOn;
      };
      await lookAtDomain({ ...world.deps, isPassedOn: probe }, id);
      expect(asked).toEqual([domain]);
      return world.domain('check', environment);
    };
    expect(await lookWith(false)).toMatchObject({
      dns_verified: false,
      error: expect.stringMatching(/has the address 192\.0\.2\.9.*CNAME record/),
    });
    expect(await certificateOf(domain)).toBeUndefined();
    expect(await lookWith(true)).toMatchObject({ dns_verified: true, error: null });
    expect(await certificateOf(domain)).toMatchObject({ status: 'provisioning' });
  });

  it('gives up servers that never answer, before others have to wait', async () => {
    const environment = await world.newEnvironment(owner);
    await world.domain('add', environment, { domain: 'www.silent.example' });
    const dns = { aliases: never, addresses: never, texts: never, isZoneApex: never };
    await lookAtDomain({ ...world.deps, dns }, (await world.rowOf(environment))!.id);
    expect((await world.domain('check', environment)).error).toMatch(/^The DNS servers of .* take too long/);
  }, 20_000);

  it('shows what the certificate authority said', async () => {
    const environment = await world.newEnvironment(owner);
    const domain = 'www.refused.example';
    await world.link(environment, domain);
    await world.domain('add', environment, { domain });
    await world.look(environment);
    await world.api.store.db
      .updateTable('certificates')
      .set({ status: 'failed', error: 'The authority says no.' })
      .where('hostname', '=', domain)
      .execute();
    expect(await world.look(environment)).toMatchObject({
      dns_verified: true,
      certificate_status: 'failed',
      error: 'The authority says no.',
    });
  });

  it('looks once for all who ask at the same moment', async () => {
    const environment = await world.newEnvironment(owner);
    await world.domain('add', environment, { domain: 'www.busy.example' });
    const answers = await Promise.all([1, 2, 3, 4].map(() => world.domain('check', environment)));
    expect(new Set(answers.map(({ error }) => error)).size).toBe(1);
  });
});

describe('a wildcard', () => {
  it('that was proved by the text and led nowhere yet has a record missing, and has not gone astray', async () => {
    const environment = await world.newEnvironment(owner);
    await world.domain('add', environment, { domain: '*.nowhere.example' });
    await world.dns.add(textFor(owner, '*.nowhere.example'));
    expect(await world.look(environment)).toMatchObject({ dns_verified: false, dns_status: 'missing' });
    expect((await world.logOf(environment)).at(-1)).toMatch(/is proved\. It is served once its records lead here\.$/);
  });

  it('is proved by the text, and its certificate needs no address', async () => {
    const environment = await world.newEnvironment(owner);
    const text = textFor(owner, '*.wild.example');
    const { records } = await world.domain('add', environment, { domain: '*.Wild.example' });
    expect(records).toEqual([linkOf('*.wild.example', environment), text]);
    expect(text.name).toBe('_lilac-verify.wild.example');
    await world.dns.add({ type: 'A', name: '*.wild.example', value: ADDRESSES[0]! });
    expect(await world.look(environment)).toMatchObject({
      dns_verified: false,
      error: expect.stringContaining(text.value),
    });
    await world.dns.add(text);
    expect(await world.look(environment)).toMatchObject({ dns_verified: true, error: null });
    expect(await world.routeOf(environment)).toMatchObject({ domain: '*.wild.example' });
    expect(await certificateOf('*.wild.example')).toMatchObject({ status: 'provisioning' });
  });

  it('is proved by a link of all names below it', async () => {
    const environment = await world.newEnvironment(owner);
    await world.domain('add', environment, { domain: '*.links.example' });
    const asked: string[] = [];
    // The server of these tests makes no links of a star.
    const aliases = async (name: string) => {
      asked.push(name);
      return [`${environment.subdomain}.apps.test`];
    };
    await lookAtDomain({ ...world.deps, dns: { ...world.deps.dns, aliases } }, (await world.rowOf(environment))!.id);
    expect(asked).toEqual([expect.stringMatching(/^lilac-\w+\.links\.example$/)]);
    expect(await world.domain('check', environment)).toMatchObject({ dns_verified: true, error: null });
  });
});

describe('a platform that does not know its address', () => {
  it('takes the name, and says what its operator has to do', async () => {
    await using local = await openDomainWorld({ addresses: [], appsDomain: 'localhost' });
    const environment = await local.newEnvironment(await local.newOwner());
    expect(await local.domain('add', environment, { domain: 'www.local.example' })).toEqual({
      domain: 'www.local.example',
      dns_verified: false,
      dns_status: 'unchecked',
      certificate_status: 'provisioning',
      records: [],
      error: expect.stringContaining('LILAC_PUBLIC_ADDRESSES'),
      url: 'https://www.local.example',
      auto_subdomain: true,
    });
    expect((await local.look(environment)).error).toContain('LILAC_APPS_DOMAIN');
  });
});

describe('behind a proxy that does https', () => {
  it('nothing is ordered, and the state says so', async () => {
    await using behind = await openDomainWorld({ isSecure: false });
    const environment = await behind.newEnvironment(await behind.newOwner());
    const domain = 'www.behind.example';
    expect(await behind.domain('add', environment, { domain })).toMatchObject({ certificate_status: 'none' });
    await behind.link(environment, domain);
    expect(await behind.look(environment)).toMatchObject({
      dns_verified: true,
      dns_status: 'found',
      certificate_status: 'none',
      error: null,
    });
    expect(await behind.routeOf(environment)).toMatchObject({ domain });
    expect(await behind.api.store.db.selectFrom('certificates').selectAll().execute()).toEqual([]);
  });
});
