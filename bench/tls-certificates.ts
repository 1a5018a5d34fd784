/**
 * What do many certificates cost an edge? Memory for each of 10,000 of them, against nginx with a server for each in
 * the same run, and how long it takes to find the right one when a handshake names it. The certificates come from the
 * snapshot that an edge starts with; of those that nobody asks for, only what must be kept is kept.
 */
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { run } from '../server/src/lib/exec.ts';
import { requirePrograms } from './edge-static/programs.ts';
import { scratchFolder } from './measuring/interruption.ts';
import { memoryOf } from './measuring/memory.ts';
import { report } from './measuring/report.ts';
import type { Findings } from './tls-certificates/hold.ts';
import { makeCertificates } from './tls-certificates/make-certificates.ts';
import { startNginxWith } from './tls-certificates/start-nginx.ts';

const CERTIFICATES = 10_000;
const FEW = 100;
const MAX_KB = 4;
const MAX_LOOKUP_US = 10;

await requirePrograms({ nginx: 'nginx-light', taskset: 'util-linux' });
const folder = scratchFolder('certificates');
await makeCertificates(folder, CERTIFICATES);
const ours = await holdThem();
const oursKb = (ours.heldMb * 1024) / CERTIFICATES;
const theirsKb = ((await nginxMb(CERTIFICATES)) - (await nginxMb(FEW))) * (1024 / (CERTIFICATES - FEW));
console.log(
  `the contexts of the names in use take ${ours.contextsMb.toFixed(0)} MB at most; a name that is not here ` +
    `${ours.unknownUs.toFixed(1)} µs, the first visitor for long ${ours.firstUs.toFixed(0)} µs`,
);
report({
  name: `memory of one of ${CERTIFICATES} certificates, against nginx`,
  unit: 'KB',
  ours: oursKb,
  theirs: theirsKb,
  bar: { of: 'ours', atMost: MAX_KB },
});
report({
  name: 'a certificate found by name',
  unit: 'µs',
  ours: ours.knownUs,
  bar: { of: 'ours', atMost: MAX_LOOKUP_US },
});

/** In a process of its own, so that what made them is not counted. */
async function holdThem(): Promise<Findings> {
  const program = join(import.meta.dirname, 'tls-certificates', 'hold.ts');
  const { stdout, stderr } = await run([process.execPath, program, folder, String(CERTIFICATES)], { env: {} });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as Findings;
}

/** Of its worker alone, as one edge is measured alone. */
async function nginxMb(certificates: number): Promise<number> {
  const nginx = await startNginxWith(folder, certificates);
  while (nginx.pids().length < 2) await delay(50);
  const megabytes = memoryOf(nginx.pids()[1]!);
  await nginx.stop();
  return megabytes;
}
