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

const NAMES = ['www.customer.test', 'www.other.test'];
const CLIENTS_OF_A_NAME = 2;

it('certificates are renewed under load, and no handshake fails', async () => {
  const applications = [await publishAt(NAMES[0]!), await publishAt(NAMES[1]!)];
  const root = await world.pebble.root();
  const serials = NAMES.map(() => new Set<string>());
  const stopping = new AbortController();
  let [handshakes, failed] = [0, 0];
  const client = async (index: number) => {
    while (!stopping.signal.aborted) {
      const serial = await servedSerial(world, NAMES[index]!, root);
      handshakes++;
      if (serial === null) failed++;
      else serials[index]!.add(serial);
      await delay(5);
    }
  };
  const clients = NAMES.flatMap((_, index) => Array.from({ length: CLIENTS_OF_A_NAME }, () => client(index)));
  await until('a renewal of each was seen', () => serials.every(({ size }) => size >= 2), 150_000);
  stopping.abort();
  await Promise.all(clients);
  console.log(`renewal under load: ${handshakes} handshakes, ${failed} failed`);
  expect(failed).toBe(0);
  for (const [index, application] of applications.entries()) {
    expect((await askSecurely(world, NAMES[index]!, { ca: root })).body).toContain(NAMES[index]);
    expect(await callDomain(world, 'check-domain', application)).toMatchObject({ dns_verified: true, error: null });
  }
});

async function publishAt(name: string) {
  const application = await publish(world, name);
  await world.dns.add(...recordsFor(application, name));
  await callDomain(world, 'add-domain', application, { domain: name });
  await untilIssued(world, application);
  return application;
}
