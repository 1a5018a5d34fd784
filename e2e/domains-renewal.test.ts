import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  askSecurely,
  callDomain,
  openDomainsWorld,
  publish,
  recordsFor,
  servedSerial,
  untilIssued,
  type DomainsWorld,
} from './domains.ts';
import { until } from './platform.ts';

/** Certificates that live for less than a minute: what takes months elsewhere is seen here. */
let world: DomainsWorld;
beforeAll(async () => {
  world = await openDomainsWorld({ validitySeconds: 45 });
});
afterAll(() => world?.[Symbol.asyncDispose]());

const CLIENTS = 4;

it('certificates are renewed under load, and no handshake fails', async () => {
  const name = 'www.customer.test';
  const application = await publish(world, 'Shop');
  await world.dns.add(...recordsFor(application, name));
  await callDomain(world, 'add-domain', application, { domain: name });
  await untilIssued(world, application);
  const root = await world.pebble.root();
  const serials = new Set<string>();
  const stopping = new AbortController();
  let [handshakes, failed] = [0, 0];
  const client = async () => {
    while (!stopping.signal.aborted) {
      const serial = await servedSerial(world, name, root);
      handshakes++;
      if (serial === null) failed++;
      else serials.add(serial);
      await delay(5);
    }
  };
  const clients = Array.from({ length: CLIENTS }, client);
  await until('two renewals were seen', () => serials.size >= 3, 150_000);
  stopping.abort();
  await Promise.all(clients);
  console.log(`renewal under load: ${handshakes} handshakes, ${failed} failed, ${serials.size} certificates`);
  expect(failed).toBe(0);
  expect((await askSecurely(world, name, { ca: root })).body).toContain('Shop');
  expect(await callDomain(world, 'check-domain', application)).toMatchObject({ dns_verified: true, error: null });
});
