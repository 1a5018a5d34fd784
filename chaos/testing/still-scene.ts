import { Ledger } from '../ledger.ts';
import type { Scene } from '../scene.ts';
import type { StorePeek } from '../peek-store.ts';
import { listTraces } from '../traces.ts';
import type { TestHome } from './open-home.ts';

/** What a scene that is looked at for orphans has besides its home. */
export interface Still {
  /** In the place of the platform's first process, which all others come from. */
  supervisorPid: number;
  publicPort: number;
  organisationId?: string;
  temporary?: string;
  deployer?: Partial<Scene['deployer']>;
}

/** Of a platform of which nothing is on the machine but one process, and nothing in the store. */
export function stillScene(
  home: TestHome,
  { supervisorPid, publicPort, organisationId = 'org_1', temporary, deployer }: Still,
): Scene {
  home.put('objects/');
  const [site, server, sleeper] = ['site', 'server', 'sleeper'].map((part) => ({ part, environmentId: `env_${part}` }));
  return {
    handle: { home: home.path, current: () => ({ supervisorPid, port: publicPort }), pids: () => [] },
    deployer: { targetOrganisationId: organisationId, ...deployer },
    watch: { databaseUsers: () => new Set(), seenIn: () => new Map() },
    ledger: new Ledger(),
    tracesBefore: new Set(listTraces().map(({ name }) => name)),
    temporary,
    passing: { applications: new Map(), databases: new Map() },
    kept: [],
    site,
    server,
    sleeper,
  } as unknown as Scene;
}

export function stillPeek(objects: Partial<Awaited<ReturnType<StorePeek['objects']>>> = {}): StorePeek {
  return {
    databaseServers: async () => [],
    routes: async () => [],
    objects: async () => ({ named: new Set(), needed: new Set(), abandoned: [], ...objects }),
  } as unknown as StorePeek;
}
