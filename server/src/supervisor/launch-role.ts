import { environmentForRoles, pathsOf, type Config } from '../config.ts';
import { start, type ChildProcess } from '../lib/exec.ts';
import type { RoleName } from './role-messages.ts';

/**
 * Room for new objects in MB: the usual 16 costs the api 20 MB at rest, and made it no faster. Roles that rest collect
 * what they no longer need (`lib/collect-at-rest.ts`).
 */
const V8_FLAGS = ['--max-semi-space-size=4', '--expose-gc'];
/**
 * There is an edge for every core: threads that help one to collect take time from another, and it waits for
 * them meanwhile. Alone it takes 0.3 ms instead of 0.4, or of 4 on a busy machine.
 */
const EDGE_FLAGS = [...V8_FLAGS, '--no-parallel-scavenge'];

/** Node's own options of a role's process. */
export function flagsOf(role: RoleName): readonly string[] {
  return role === 'edge' ? EDGE_FLAGS : V8_FLAGS;
}

/**
 * What is at least this large is given back as soon as it is freed. Left to itself the C library learns to keep up to
 * 32 MB of it. Through the worker pass dumps and files in pieces of 64 KiB: two backups at once left it with 35 MB of
 * freed ones that lay between others, for good. Edges and the api have pieces that come and go with every request, and
 * keep those: giving back costs a sixth more processor time where there is nothing but such pieces.
 */
function givenBackFrom(role: RoleName): number {
  return role === 'worker' ? 32 * 1024 : 1024 * 1024;
}

export interface LaunchOptions {
  /** The file that this process was started with. */
  program: string;
  role: RoleName;
  config: Config;
  /** Which of several processes of the role it is. */
  place?: number;
  /** The edge's part of the public ports. */
  ports?: EdgePorts;
  /** The usual port for https is somebody else's: it is as if there were to be none, and nothing is ordered for it. */
  lacksHttps?: boolean;
}

/** Descriptors. */
export interface EdgePorts {
  http: number;
  /** Null: nobody is served by https here. */
  https: number | null;
}

/** Starts one process of a role on the same Node, with a channel to this process. */
export function launchRole({
  program,
  role,
  config,
  place = 0,
  ports,
  lacksHttps = false,
}: LaunchOptions): ChildProcess {
  // What is ignored leads to nothing, but is there: so the edge can tell that it is no port.
  const channelAndPorts =
    ports === undefined ? (['ipc'] as const) : (['ipc', ports.http, ports.https ?? 'ignore'] as const);
  return start([process.execPath, ...flagsOf(role), program, 'role', role, String(place)], {
    env: {
      // Compiled code is kept between starts; the launcher may have named a place for it already.
      NODE_COMPILE_CACHE: pathsOf(config).compileCache,
      ...environmentForRoles(config),
      ...(lacksHttps && { LILAC_TLS_PORT: 'off' }),
      // Fewer heaps of the C library: they are hardly used, and each costs memory.
      MALLOC_ARENA_MAX: '2',
      MALLOC_MMAP_THRESHOLD_: String(givenBackFrom(role)),
    },
    stdio: ['ignore', 'pipe', 'pipe', ...channelAndPorts],
  });
}
