import type Docker from 'dockerode';
import { readMachine, type EngineMachine } from './engine-machine.ts';
import { findGround, type FoundGround, type LendHome } from './ground.ts';

/** The engine of this machine, and what it is known to be able to do. */
export interface ServiceEngine {
  /** Rejects while it is away. */
  ask(): Promise<Asked>;
  /** What services are made of, or what keeps servers from being some. Rejects while nobody can tell. */
  ground(): Promise<FoundGround>;
}

export interface Asked {
  docker: Docker;
  machine: EngineMachine;
  installation: string;
}

export interface ServiceEngineDeps {
  socketPath: string;
  /** The folder of all servers. */
  root: () => string;
  lendHome: LendHome;
}

/** What is lacking may be mended at any time. */
const GROUND_AGAIN_MS = 60_000;
/** An engine that says nothing for so long is away. */
const SILENCE_MS = 60_000;
/** Nobody listens there, or not to us: unlike one that was there and does not answer. */
const NO_ENGINE = ['ENOENT', 'EACCES', 'EPERM'];

export function createServiceEngine({ socketPath, root, lendHome }: ServiceEngineDeps): ServiceEngine {
  let loaded: Promise<Docker> | undefined;
  let known: EngineMachine | undefined;
  let found: Promise<FoundGround> | undefined;

  // What speaks with an engine takes memory: where no server is a service, nobody loads it.
  const load = () =>
    (loaded ??= import('dockerode').then(({ default: Client }) => new Client({ socketPath, timeout: SILENCE_MS })));

  async function ask(): Promise<Asked> {
    const docker = await load();
    const machine = known ?? (await readMachine(docker, root()));
    if (machine.nodeId !== '') known = machine;
    return { docker, machine, installation: machine.installation };
  }

  async function findHere(): Promise<FoundGround> {
    try {
      const docker = await load();
      return await findGround(docker, await readMachine(docker, root()), lendHome);
    } catch (error) {
      const { code = '', syscall } = error as NodeJS.ErrnoException;
      if (syscall !== 'connect' || !NO_ENGINE.includes(code)) throw error;
      return { ground: null, lacking: `no engine of Docker can be used at ${socketPath} (${code})` };
    }
  }

  async function findAnew(): Promise<FoundGround> {
    const here = await findHere();
    if (here.ground === null) setTimeout(() => (found = undefined), GROUND_AGAIN_MS).unref();
    return here;
  }

  return {
    ask,
    ground() {
      found ??= findAnew().catch((error: unknown) => {
        found = undefined;
        throw error;
      });
      return found;
    },
  };
}
