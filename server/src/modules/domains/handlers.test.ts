import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EnvironmentRow } from '../../db/schema.ts';
import { DnsUnavailable } from '../../dns/dns-lookup.ts';
import { reportEdge } from '../../routing/route-store.ts';
import { eventually } from '../../testing/eventually.ts';
import type { TestOwner } from '../../testing/factories.ts';
import { giveDomain } from './give-domain.ts';
import { lookAtDomain } from './look-at-domain.ts';
import { ownershipText } from './ownership.ts';
import { ADDRESSES, openDomainWorld, type DomainWorld } from './testing/domain-world.ts';

let world: DomainWorld;
let owner: TestOwner;
let other: TestOwner;
beforeAll(async () => {
  world = await openDomainWorld();
  [owner, other] = [await world.newOwner(), await world.newOwner()];
});
afterAll(() => world[Symbol.asyncDispose]());

const none = {
  domain: null,
  dns_verified: false,
  dns_status: 'unchecked',
  certificate_status: 'none',
  records: [],
  error: null,
  url: null,
  auto_subdomain: true,
};
const linkOf = (name: string, { subdomain }: EnvironmentRow) => ({
  type: 'CNAME',
  name,
  value: `${subdomain}.apps.test`,
});
const textFor = ({ organisationId }: TestOwner, hostname: string) =>
  ({ type: 'TXT', ...ownershipText(world.deps.ownershipKey, { organisationId, hostname }) }) as const;
const pathOf = (what: string) => `/api/applications/${what}-domain`;
const refusal = async (what: string, body: object, who = owner) => {
  const { status, body: answer } = await world.call(pathOf(what), body, who);
  return { status, code: answer.code as string, message: answer.message as string };
};
const update = (environment: EnvironmentRow, customDomain: string | null) =>
  world.call('/api/environments/update', { environmentId: environment.id, customDomain }, owner);
const rename = ({ application_id: applicationId }: EnvironmentRow, name: string, who: TestOwner) =>
  world.call('/api/applications/rename', { applicationId, name }, who);
const certificateOf = (hostname: string) =>
  world.api.store.db.selectFrom('certificates').selectAll().where('hostname', '=', hostname).executeTakeFirst();

const unavailable = () => Promise.reject(new DnsUnavailable('The servers fail.'));
const never = () => new Promise<never>(() => undefined);

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
    expect((await world.call(pathOf('remove'), { applicationId }, owner)).body).toEqual(none);
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
    expect(await world.domain('check', await world.newEnvironment(owner))).toEqual(none);
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
    expect(await world.domain('remove', environment)).toEqual(none);
    expect(await world.domain('remove', environment)).toEqual(none);
    expect(await world.routeOf(environment)).toEqual({ domain: null, atSubdomain: true });
    expect(await world.environmentOf(environment)).toMatchObject({ custom_domain: null, hides_subdomain: false });
    expect(await certificateOf('www.gone.example')).toBeUndefined();
    expect((await world.actionsOf(environment)).slice(-2)).toEqual(['custom_domain_verified', 'custom_domain_removed']);
  });

  it('switches the generated name off too, until there is a domain again', async () => {
    const environment = await world.newEnvironment(owner);
    await world.domain('add', environment, { domain: 'www.hidden.example' });
    const off = await world.domain('remove', environment, { revertToAutoSubdomain: false });
    expect(off).toEqual({ ...none, auto_subdomain: false });
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
    expect(await world.domain('check', theirs)).toEqual(none);
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

describe('customDomain of an environment', () => {
  it('goes the same way', async () => {
    const environment = await world.newEnvironment(owner);
    await world.link(environment, 'www.updated.example');
    expect((await update(environment, 'WWW.updated.example')).body.custom_domain).toBe('www.updated.example');
    expect(await world.look(environment)).toMatchObject({ domain: 'www.updated.example', dns_verified: true });
    expect((await update(environment, null)).body.custom_domain).toBeNull();
    expect(await world.domain('check', environment)).toEqual(none);
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
