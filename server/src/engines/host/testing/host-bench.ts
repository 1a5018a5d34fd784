import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RuntimeSettings } from '../../../config/runtime-settings.ts';
import { silentLog } from '../../../lib/log.ts';
import { findCgroupFolders } from '../../../sandbox/cgroups/find-folders.ts';
import { installationId } from '../../../runtime/network/names.ts';
import { createServerHost } from '../create-server-host.ts';
import type { PlaceWants, ServerHost, ServerPlace } from '../server-host.ts';

export interface HostBench extends AsyncDisposable {
  home: string;
  host: ServerHost;
  exits: string[];
  take(serverId?: string, wants?: Partial<PlaceWants>): Promise<ServerPlace>;
  /** Launches a shell as the server. */
  launch(place: ServerPlace, script: string): Promise<void>;
  /** Runs a shell in the place to its end, and gives what it said. */
  sh(place: ServerPlace, script: string): Promise<string>;
}

export const smallSize = { memoryMb: 128, cpus: 1, storageGb: 1 };

export const makeHome = (): string => mkdtempSync(join(tmpdir(), 'lilac-host-'));

export interface HostBenchOptions {
  home?: string;
  keepHome?: boolean;
  runtime?: RuntimeSettings;
}

/** A host in a home of its own; nothing of it is left afterwards. */
export async function openHostBench({
  home = makeHome(),
  keepHome = false,
  runtime,
}: HostBenchOptions = {}): Promise<HostBench> {
  const host = createServerHost({ config: { home, ...(runtime && { runtime }) }, log: silentLog });
  const exits: string[] = [];
  host.onExit((serverId) => exits.push(serverId));
  await host.open();
  return {
    home,
    host,
    exits,
    take: (serverId = 'dbs_1', wants = {}) =>
      host.take(serverId, { type: 'postgresql', databaseId: 'db_1', size: smallSize, ...wants }),
    launch: (place, script) => host.launch(place, { argv: ['/bin/sh', '-c', script] }),
    async sh(place, script) {
      const { output } = await host.run(place, { argv: ['/bin/sh', '-c', script], timeoutMs: 60_000 });
      return output;
    },
    async [Symbol.asyncDispose]() {
      for (const serverId of [...host.list('postgresql'), ...host.list('mysql')]) await host.remove(serverId);
      await host.close();
      if (!keepHome) rmSync(home, { recursive: true, force: true });
    },
  };
}

/** What the kernel holds for a home: mounts, disks, control groups of that server. */
export function remainsOf(home: string, serverId: string): string[] {
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .filter((line) => line.includes(home));
  const loops = readdirSync('/sys/block').flatMap((each) => {
    try {
      const file = readFileSync(`/sys/block/${each}/loop/backing_file`, 'utf8');
      return file.includes(home) ? file : [];
    } catch {
      return [];
    }
  });
  const groups = findCgroupFolders().flatMap(({ path }) =>
    readdirSync(path).filter((each) => each === `lilac-${installationId(home)}-${serverId}`),
  );
  return [...mounts, ...loops, ...groups];
}
