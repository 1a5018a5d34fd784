import { readFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { run } from '../../server/src/lib/exec.ts';
import { PATH } from '../edge-static/programs.ts';

/** How each peer tells its version. */
const PEERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  nginx: ['nginx', '-v'],
  HAProxy: ['haproxy', '-v'],
  Caddy: ['caddy', 'version'],
  wrk: ['wrk', '-v'],
  pgbench: ['pgbench', '--version'],
};

/** What the figures were measured on, a line each; nothing that names the machine. */
export async function describeMachine(): Promise<string[]> {
  const cores = cpus();
  const gigabytes = (totalmem() / 1024 ** 3).toFixed(0);
  const peers = await Promise.all(Object.entries(PEERS).map(([name, argv]) => versionOf(name, argv)));
  return [
    `${cores.length} cores (${cores[0]?.model.trim() ?? 'of an unknown kind'}), ${gigabytes} GB of memory`,
    `Linux ${versionIn(release())}, Node ${process.versions.node}`,
    [`Fastify ${versionOfPackage('fastify')}`, ...peers].join(', '),
  ];
}

async function versionOf(name: string, argv: readonly [string, ...string[]]): Promise<string> {
  try {
    const { stdout, stderr } = await run(argv, { env: { PATH } });
    return `${name} ${versionIn(stdout + stderr)}`;
  } catch {
    return `no ${name}`;
  }
}

function versionIn(text: string): string {
  return /\d+(?:\.\d+)+/.exec(text)?.[0] ?? 'of an unknown version';
}

function versionOfPackage(name: string): string {
  const file = join(import.meta.dirname, '..', '..', 'node_modules', name, 'package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
