import type { InstanceSpec } from './runtime.ts';
import type { Tools } from './tools.ts';
import { inner } from './inner-paths.ts';
import type { NetworkLease } from './instance-networks.ts';

const SYSTEM_PATH = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];

/** The whole environment of an instance: what is asked for, and what only we know. */
export function instanceEnvironment(
  { env }: Pick<InstanceSpec, 'env'>,
  { tools, lease }: { tools: Pick<Tools, 'env' | 'searchPath'>; lease: Pick<NetworkLease, 'kind' | 'host' | 'port'> },
): Record<string, string> {
  return {
    LANG: 'C.UTF-8',
    TMPDIR: inner.tmp,
    ...tools.env,
    ...env,
    // In the host's own network nobody else is to reach it.
    ...(lease.kind === 'shared' && env.HOST === '0.0.0.0' ? { HOST: lease.host } : {}),
    PATH: [...tools.searchPath, ...(env.PATH ? [env.PATH] : []), ...SYSTEM_PATH].join(':'),
    HOME: inner.home,
    PORT: String(lease.port),
  };
}
