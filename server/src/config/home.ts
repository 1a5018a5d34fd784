import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { ConfigError } from './read-values.ts';

/** Linux allows a socket's path 107 bytes; the longest name we put below LILAC_HOME is this. */
const LONGEST_SOCKET_NAME = '/store/data/.s.PGSQL.5432';

export function readHome(value: string | undefined): string {
  const home = !value ? join(homedir(), '.lilac') : resolve(value.replace(/^~(?=\/|$)/, homedir()));
  if (Buffer.byteLength(home + LONGEST_SOCKET_NAME) > 107) {
    throw new ConfigError(
      `LILAC_HOME is too long (${home}): unix sockets below it would exceed the system's limit of 107 bytes. ` +
        `Choose a path of at most ${107 - LONGEST_SOCKET_NAME.length} bytes.`,
    );
  }
  return home;
}

/** The folders and files below LILAC_HOME, named in one place. */
export function pathsOf(config: { home: string; keyringFile?: string | null }) {
  const below = (...parts: string[]) => join(config.home, ...parts);
  return {
    store: below('store'),
    storeSocket: below('store', 'data'),
    run: below('run'),
    apiSocket: below('run', 'api.sock'),
    objectsSocket: below('run', 'objects.sock'),
    routesSnapshot: below('run', 'routes.json'),
    certificatesSnapshot: below('run', 'certificates.json'),
    objects: below('objects'),
    repositories: below('cache', 'repositories'),
    builds: below('builds'),
    buildCaches: below('cache', 'builds'),
    toolchains: below('cache', 'toolchains'),
    /** The trees of servers, unpacked. */
    slugs: below('cache', 'slugs'),
    /** What runs: a folder for each instance, with its record. */
    instances: below('instances'),
    /** What instances wrote: a folder for each, until the last line of it is in the log. */
    outputs: below('outputs'),
    /** A folder for each server of a database: its record, and the volume with its data. */
    databases: below('databases'),
    /** The files of an empty server, for each engine and series. */
    databaseTemplates: below('cache', 'databases'),
    edgeSockets: below('run', 'edges'),
    /** What edges have fetched of files that are elsewhere. */
    edgeCache: below('edge-cache'),
    isolation: below('run', 'isolation.json'),
    instanceNetwork: below('run', 'instance-network.json'),
    databaseDoors: below('run', 'database-doors.json'),
    supervisorLock: below('run', 'supervisor.lock'),
    operatorLock: below('run', 'operator.lock'),
    roles: below('run', 'roles.json'),
    hostId: below('host-id'),
    httpsLack: below('run', 'no-https'),
    compileCache: below('cache', 'compiled'),
    secrets: below('secrets'),
    keyring: config.keyringFile ?? below('secrets', 'keyring.json'),
    storePassword: below('secrets', 'store-password'),
    logs: below('logs'),
    storeLog: below('logs', 'store.log'),
  };
}
