/**
 * How soon is a new certificate served? From the moment it is in the store to the first handshake after which every
 * edge shows it, with a real authority (pebble) and two edges. Also how long it takes from add-domain to that moment.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { callDomain, openDomainsWorld, publish, recordsFor, servedSerial, type DomainsWorld } from '../e2e/domains.ts';
import type { Application } from '../e2e/deploying.ts';
import { until } from '../e2e/platform.ts';
import { median } from './measuring/median.ts';
import { report } from './measuring/report.ts';
import { roundsOf } from './measuring/rounds-of.ts';

const ROUNDS = roundsOf(7);
const TARGET_MS = 1000;
const WHOLE_TARGET_SECONDS = 15;
/** Connections are spread over the edges by chance: so many in a row that none of them can have been missed. */
const IN_A_ROW = 16;

await using world = await openDomainsWorld();
const [served, whole]: [number[], number[]] = [[], []];
for (let round = 0; round < ROUNDS; round++) {
  const name = `round-${round}.customer.test`;
  const application = await publish(world, `Round ${round}`);
  await world.dns.add(...recordsFor(application, name));
  const beganAt = Date.now();
  await callDomain(world, 'add-domain', application, { domain: name });
  const servedAt = await firstServedByAll(world, name);
  served.push(Math.max(0, servedAt - (await issuedAt(application))));
  whole.push(servedAt - beganAt);
}
report({
  name: 'add-domain to https at every edge',
  unit: 's',
  ours: median(whole) / 1000,
  bar: { of: 'ours', atMost: WHOLE_TARGET_SECONDS },
});
console.log(`issued to served by every edge: median ${median(served)} ms`);
report({
  name: 'issued to served by every edge, the worst',
  unit: 'ms',
  ours: Math.max(...served),
  bar: { of: 'ours', atMost: TARGET_MS },
});

async function firstServedByAll(world: DomainsWorld, name: string): Promise<number> {
  for (;;) {
    const shown = await Promise.all(Array.from({ length: IN_A_ROW }, () => servedSerial(world, name)));
    if (shown.every((serial) => serial !== null)) return Date.now();
    await delay(10);
  }
}

/** What the platform says of it. */
async function issuedAt({ environmentId }: Application): Promise<number> {
  const { client, targetOrganisationId } = world.deployer;
  let at = 0;
  await until('the activity tells', async () => {
    const entries = await client.call('environments.activity', { body: { targetOrganisationId, environmentId } });
    at = Date.parse(entries.find(({ action }) => action === 'certificate_issued')?.created_at ?? '');
    return at > 0;
  });
  return at;
}
