import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../server/src/lib/exec.ts';
import type { Application } from './deploying.ts';
import {
  APPS_DOMAIN,
  askSecurely,
  callDomain,
  openDomainsWorld,
  PLATFORM_HOST,
  publish,
  recordsFor,
  servedSerial,
  untilIssued,
  type DomainsWorld,
} from './domains.ts';
import { until } from './platform.ts';

/** Domains of one's own, with somebody else's DNS server, certificate authority and clients. */
let world: DomainsWorld;
beforeAll(async () => {
  world = await openDomainsWorld();
});
afterAll(() => world?.[Symbol.asyncDispose]());

const TRIES = 40;

/** The same question many times, each on a connection of its own: both edges get some. */
const manyTimes = <T>(ask: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: TRIES }, ask));

const askHealth = () => askSecurely(world, PLATFORM_HOST, { path: '/api/health' });

function askPlainly(host: string, path: string): Promise<{ status: number; location: string | undefined }> {
  const { port } = world.platform;
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers: { host }, agent: false }, (response) => {
      response.resume();
      resolve({ status: response.statusCode!, location: response.headers.location });
    })
      .once('error', reject)
      .end();
  });
}

async function rootFile(): Promise<string> {
  const file = join(world.platform.home, 'pebble-root.pem');
  writeFileSync(file, await world.pebble.root());
  return file;
}

describe("the platform's own names", () => {
  it('have a certificate that clients believe', async () => {
    await until('it is served', () =>
      askHealth().then(
        () => true,
        () => false,
      ),
    );
    expect((await askHealth()).status).toBe(200);
  });

  it('have one of the installation’s own where no authority would give one', async () => {
    const { stdout: root } = await world.platform.lilac('admin', 'certificates', 'root');
    expect((await askSecurely(world, 'localhost', { path: '/api/health', ca: root })).status).toBe(200);
    const application = await publish(world, 'Local');
    const host = new URL(application.url).hostname;
    expect(host.endsWith(APPS_DOMAIN)).toBe(true);
    expect((await askSecurely(world, host, { ca: root })).body).toContain('Local');
  });
});

describe('a domain of an application', () => {
  const name = 'www.customer.test';
  let application: Application;
  beforeAll(async () => {
    application = await publish(world, 'Shop');
  });

  it('comes from add-domain to a chain that clients believe, with nobody in between', async () => {
    await world.dns.add(...recordsFor(application, name));
    const beganAt = performance.now();
    const added = await callDomain(world, 'add-domain', application, { domain: 'WWW.Customer.test.' });
    expect(added).toMatchObject({ domain: name, records: [{ type: 'CNAME', name }] });
    await until('it is served', () =>
      askSecurely(world, name).then(
        ({ status }) => status === 200,
        () => false,
      ),
    );
    console.log(`add-domain to https: ${((performance.now() - beganAt) / 1000).toFixed(1)} s (target: at most 15)`);
    expect((await askSecurely(world, name)).body).toContain('Shop');
    await untilIssued(world, application);
    expect(await callDomain(world, 'check-domain', application)).toMatchObject({ dns_verified: true, error: null });
  });

  it('is served by every edge, with the same certificate', async () => {
    const pages = await manyTimes(() => askSecurely(world, name));
    expect(new Set(pages.map(({ serial }) => serial)).size).toBe(1);
    expect(pages.every(({ status }) => status === 200)).toBe(true);
  });

  it('is believed by openssl and served over HTTP/2 to curl', async () => {
    const root = await rootFile();
    const connection = ['-connect', `127.0.0.1:${world.tlsPort}`, '-servername', name];
    const checked = await run(
      [
        'openssl',
        's_client',
        ...connection,
        '-CAfile',
        root,
        '-verify_return_error',
        '-verify_hostname',
        name,
        '-brief',
      ],
      { timeoutMs: 20_000, env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' } },
    );
    expect(checked.stdout + checked.stderr).toMatch(/Verification: OK/);
    const resolve = `${name}:${world.tlsPort}:127.0.0.1`;
    const fetched = await run(
      [
        'curl',
        '-sS',
        '--http2',
        '--cacert',
        root,
        '--resolve',
        resolve,
        '-w',
        '\n%{http_version}',
        `https://${name}:${world.tlsPort}/`,
      ],
      { timeoutMs: 20_000, env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' } },
    );
    expect(fetched.stdout).toMatch(/Shop[\s\S]*\n2$/);
  });

  it('leads from http to https, but for what authorities ask', async () => {
    expect(await askPlainly(name, '/a/b?c=d')).toEqual({
      status: 308,
      location: `https://${name}:${world.tlsPort}/a/b?c=d`,
    });
    expect((await askPlainly(name, '/.well-known/acme-challenge/unknown')).status).toBe(404);
    expect((await askSecurely(world, name)).headers['strict-transport-security']).toBe('max-age=3600');
  });

  it('is nobody else’s to have', async () => {
    const other = await publish(world, 'Other');
    await expect(callDomain(world, 'add-domain', other, { domain: name })).rejects.toMatchObject({ code: 'CF001' });
  });

  it('is replaced: the old one stops, the new one is served', async () => {
    const next = 'shop.customer.test';
    await world.dns.add({ type: 'CNAME', name: next, value: new URL(application.url).hostname });
    await callDomain(world, 'update-domain', application, { newDomain: next });
    expect(await manyTimes(() => servedSerial(world, name))).toEqual(Array.from({ length: TRIES }, () => null));
    await untilIssued(world, application);
    expect((await askSecurely(world, next)).body).toContain('Shop');
  });

  it('is not served any more the moment it is removed', async () => {
    const name = 'shop.customer.test';
    expect(await callDomain(world, 'remove-domain', application)).toMatchObject({
      domain: null,
      certificate_status: 'none',
    });
    expect(await manyTimes(() => servedSerial(world, name))).toEqual(Array.from({ length: TRIES }, () => null));
    expect((await askPlainly(name, '/')).status).toBe(404);
  });
});

describe('records', () => {
  it('that are missing, then wrong, then right are told as they are', async () => {
    const name = 'slow.customer.test';
    const application = await publish(world, 'Slow');
    const state = () => callDomain(world, 'check-domain', application);
    await callDomain(world, 'add-domain', application, { domain: name });
    await until('it is told that nothing is there', async () => (await state()).error?.includes(name) ?? false);
    expect(await state()).toMatchObject({ dns_verified: false, certificate_status: 'provisioning' });
    await world.dns.add({ type: 'A', name, value: '192.0.2.9' });
    await until('the wrong address is told', async () => (await state()).error?.includes('192.0.2.9') ?? false);
    expect(await servedSerial(world, name)).toBeNull();
    await world.dns.remove((record) => record.name === name);
    await world.dns.add(...recordsFor(application, name));
    await untilIssued(world, application);
    expect((await askSecurely(world, name)).body).toContain('Slow');
  });
});

describe('the authority', () => {
  it('that is down is asked again, and its return is enough', async () => {
    const name = 'patient.customer.test';
    const application = await publish(world, 'Patient');
    await world.dns.add(...recordsFor(application, name));
    await world.pebble.stop();
    await callDomain(world, 'add-domain', application, { domain: name });
    await until('it is told', async () => {
      const { dns_verified, error } = await callDomain(world, 'check-domain', application);
      return dns_verified && error !== null;
    });
    await world.pebble.start();
    await callDomain(world, 'retry-domain', application);
    await untilIssued(world, application);
    expect((await askSecurely(world, name)).body).toContain('Patient');
  });

  it('is asked in vain by nobody: a worker that is killed goes on', async () => {
    const name = 'killed.customer.test';
    const application = await publish(world, 'Killed');
    await world.dns.add(...recordsFor(application, name));
    await callDomain(world, 'add-domain', application, { domain: name });
    const [worker] = world.platform.pids()['worker']!;
    process.kill(worker!, 'SIGKILL');
    await untilIssued(world, application);
    expect((await askSecurely(world, name)).body).toContain('Killed');
  });

  it('takes back a certificate whose key is in wrong hands, and another one is served', async () => {
    const name = 'revoked.customer.test';
    const application = await publish(world, 'Revoked');
    await world.dns.add(...recordsFor(application, name));
    await callDomain(world, 'add-domain', application, { domain: name });
    await untilIssued(world, application);
    const { serial } = await askSecurely(world, name);
    const revoked = await world.platform.lilac('admin', 'certificates', 'revoke', name);
    expect(revoked).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await world.pebble.statusOf(serial)).toBe('Revoked');
    await until('another one is served', async () => (await askSecurely(world, name)).serial !== serial);
  });
});
