import type { Exit } from '../../runtime.ts';

/** What the platform and the first process of a task say to one another. */

/** The port of a task at which its program is reached, and the one at which its first process is. */
export const PROGRAM_PORT = 8080;
/** One that no program is used to. */
export const CONTROL_PORT = 47_990;

/**
 * So many machines a packet of a program may pass: enough for the world, and less than those of machines may. Builds
 * send no others (`mark-builds.ts`).
 */
export const PROGRAM_HOPS = 48;

/** Who is meant: a port may have been given anew. Whether it is claimed, and by whom, everybody may ask. */
export const INSTANCE_HEADER = 'lilac-instance';

/** Where a task finds what only it may know. */
export const SECRET_FILE = '/run/secrets/lilac';

/** The same for every task of a service; it is in no argv and no environment. */
export interface TaskSecret {
  /** Whoever calls the control port must know it. */
  token: string;
  uid: number;
  command: string;
  workDirectory: string;
  /** All that every instance of the service has: not PORT, nor what comes with the claim. */
  env: Record<string, string>;
}

/** Makes a task that waits an instance. */
export interface Claim {
  instanceId: string;
  organisationId: string;
  environmentId: string;
  deploymentId: string;
  /** Where others reach the program: what it is told to listen on. */
  port: number;
  /** Variables that name the instance itself. */
  env: Record<string, string>;
  parcels: Parcel[];
  /** So long parcels are tried again where they cannot be had: what keeps them may be away for a moment. */
  fetchWithinMs: number;
  reach: Reach;
}

/** A tree that is brought: packed at an address that is good for a short time, or the Node that the image has. */
export type Parcel = { at: string } & ({ url: string; hash: string; isOwn: boolean } | { node: string });

/** Who may come, and where the program may go besides the world. */
export interface Reach {
  /** Addresses and ranges of the cluster. */
  cluster: string[];
  /**
   * Where everybody reaches the platform, and all addresses of its machines that are the world's: nothing else at these
   * is for a program. A leader of an earlier version does not say it.
   */
  edges?: { addresses: string[]; ports: number[] };
  /** The machine of the databases, and the ports of those that are its organisation's. */
  host: string;
  doors: number[];
}

export type TaskState = 'waiting' | 'preparing' | 'running' | 'ended';

export interface TaskStatus {
  state: TaskState;
  instanceId: string | null;
  exit: Exit | null;
  nodeVersion: string;
}
