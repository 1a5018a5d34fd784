/**
 * A process with what an edge has for https, and nothing else. Prints how much memory the certificates take, and how
 * long it takes to find the right one. Arguments: <folder> <certificates>.
 */
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { readConfig } from '../../server/src/config.ts';
import { openStore } from '../../server/src/db/pool.ts';
import { createEdgeCertificates } from '../../server/src/edge/certificates/edge-certificates.ts';
import { RouteTable } from '../../server/src/edge/routes/route-table.ts';
import { systemClock } from '../../server/src/lib/clock.ts';
import { silentLog } from '../../server/src/lib/log.ts';
import { openKeyring } from '../../server/src/secrets/key-file.ts';
import { memoryOf } from '../measuring/memory.ts';
import { KEYRING, nameOf, SNAPSHOT } from './make-certificates.ts';

export interface Findings {
  /** What the certificates take. */
  heldMb: number;
  /** What is added when as many contexts as are kept have been made. */
  contextsMb: number;
  /** Microseconds of processor time. */
  knownUs: number;
  unknownUs: number;
  /** The first visitor of a name for long. */
  firstUs: number;
}

const KEPT = 500;
const LOOKUPS = 200_000;
const [folder = '', certificates = '0'] = process.argv.slice(2);
const count = Number(certificates);

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const routes = new RouteTable();
const base = { target: null, lock: null, accessLog: false, atSubdomain: true };
routes.replaceAll(
  Array.from({ length: count }, (_, n) => ({
    ...base,
    environmentId: `env_${n}`,
    subdomain: `shop-${n}`,
    domain: nameOf(n),
    version: n + 1,
  })),
);
const store = openStore({ kind: 'url', url: 'postgresql://nobody@127.0.0.1:1/none' }, { max: 1, applicationName: '' });
const keyring = openKeyring(join(folder, KEYRING));
const options = { config: readConfig({}), store, keyring, routes, clock: systemClock, log: silentLog };
const { names, feed } = createEdgeCertificates({ ...options, snapshotPath: join(folder, SNAPSHOT) });

const before = settledMb();
await feed.start();
const held = settledMb();
const firstUs = timeLookups((n) => nameOf((n * 7919) % count), KEPT);
const withContexts = settledMb();
for (let n = 0; n < KEPT; n++) look(nameOf(n));
const findings: Findings = {
  heldMb: held - before,
  contextsMb: withContexts - held,
  firstUs,
  knownUs: timeLookups((n) => nameOf(n % KEPT), LOOKUPS),
  unknownUs: timeLookups((n) => `www.nobody-${n % KEPT}.example.org`, LOOKUPS, false),
};
console.log(JSON.stringify(findings));
process.exit();

function settledMb(): number {
  for (let times = 0; times < 3; times++) collectGarbage();
  return memoryOf(process.pid);
}

function look(name: string): unknown {
  return names.contextFor(name);
}

/** Names are made beforehand, as a handshake brings them. */
function timeLookups(name: (n: number) => string, lookups: number, isKnown = true): number {
  const all = Array.from({ length: lookups }, (_, n) => name(n));
  const before = process.cpuUsage();
  let found = 0;
  for (const each of all) if (look(each) !== null) found++;
  const { user, system } = process.cpuUsage(before);
  if (found !== (isKnown ? lookups : 0)) throw new Error(`${found} of ${lookups} names were found.`);
  return (user + system) / lookups;
}
