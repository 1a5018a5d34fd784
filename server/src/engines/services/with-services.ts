import type { Log } from '../../lib/log.ts';
import type { RuntimeSettings } from '../../config/runtime-settings.ts';
import type { HeldServer, Processes, ServerFolder } from '../host/processes.ts';
import { createServiceProcesses } from './create-service-processes.ts';
import type { LendHome } from './ground.ts';
import { hasMarks } from './service-marks.ts';

export interface WithServicesDeps {
  /** Null: no swarm. */
  runtime: Pick<RuntimeSettings, 'kind' | 'dockerSocket'> | null;
  /** The folder of all servers. */
  root: () => string;
  lendHome: LendHome;
  log: Log;
}

/** What an engine has where nobody says otherwise. */
const USUAL_SOCKET = '/var/run/docker.sock';

/**
 * Where the runtime is a swarm, servers are started as services of it; where that cannot be, as processes all the same.
 * One that was started otherwise before is found, whatever the runtime is now, and stays what it is until it is started
 * again: there never are two of one server.
 */
export function withServices(processes: Processes, { runtime, root, lendHome, log }: WithServicesDeps): Processes {
  const isWanted = runtime?.kind === 'swarm';
  const socketPath = runtime?.dockerSocket ?? USUAL_SOCKET;
  const services = createServiceProcesses({ socketPath, root, lendHome, log });
  /** As what it runs. */
  const wayOf = (server: HeldServer) =>
    processes.runOf(folderOf(server)) === null && hasMarks(server.folder) ? services : processes;

  return {
    onExit(listener) {
      const ways = [processes.onExit(listener), services.onExit(listener)];
      return () => {
        for (const stopListening of ways) stopListening();
      };
    },
    runOf: (server) => processes.runOf(server) ?? services.runOf(server),
    async launch(server, program, setpriv) {
      const lacking = isWanted ? await services.lacking() : null;
      if (lacking !== null) log.warn({ server: server.record.serverId }, asSentence(lacking));
      const [way, other] = isWanted && lacking === null ? [services, processes] : [processes, services];
      if (other.runOf(folderOf(server)) !== null) throw new Error(`${server.record.serverId} runs already`);
      await other.kill(server);
      await way.launch(server, program, setpriv);
    },
    run: (server, program, setpriv) => processes.run(server, program, setpriv),
    async end(server, steps) {
      await services.end(server, steps);
      await processes.end(server, steps);
    },
    async kill(server, options) {
      await services.kill(server);
      await processes.kill(server, options);
    },
    async adopt(server) {
      await processes.adopt(server);
      await services.adopt(server);
    },
    setLimits: (server) => wayOf(server).setLimits(server),
    usage: (server) => wayOf(server).usage(server),
    async lacking() {
      if (!isWanted) return [];
      const lacking = await services.lacking().catch((error: unknown) => (error as Error).message);
      return lacking === null ? [] : [asSentence(lacking)];
    },
    async open(servers) {
      await processes.open(servers);
      const isNeeded = isWanted || servers.some(({ folder }) => hasMarks(folder));
      if (isNeeded) await services.open(new Set(servers.map(({ serverId }) => serverId)));
    },
    close() {
      processes.close();
      services.close();
    },
  };
}

const folderOf = ({ record, folder }: HeldServer): ServerFolder => ({ serverId: record.serverId, folder });

const asSentence = (lacking: string): string =>
  `Servers of databases are processes beside the platform and not services of the swarm: ${lacking.replace(/\.$/, '')}.`;
