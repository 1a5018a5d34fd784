import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type Docker from 'dockerode';
import { isNotFound } from '../../runtime/docker/engine-errors.ts';
import { ownContainerId, sourceOf, type EngineMount } from './own-container.ts';

/** This machine, as its engine knows it. */
export interface EngineMachine {
  nodeId: string;
  /** Whether services can be made here. */
  isManager: boolean;
  /** What is found by this is of this platform on this machine, and of no other platform of the swarm. */
  installation: string;
  /** The container that the platform is in; null where it is a program of the machine. */
  container: OwnContainer | null;
  /** How the engine names a path; null for what only the platform's container has. */
  sourceOf(path: string): string | null;
}

export interface OwnContainer {
  imageId: string;
  /** For which the image would be given a volume each. */
  volumes: readonly string[];
}

/** `root` is the folder of all servers. */
export async function readMachine(docker: Docker, root: string): Promise<EngineMachine> {
  const { Swarm } = (await docker.info()) as { Swarm?: { NodeID?: string; ControlAvailable?: boolean } };
  const nodeId = Swarm?.NodeID ?? '';
  const own = await findOwn(docker);
  const nameOf = (path: string) => (own ? sourceOf(own.mounts, path) : path);
  return {
    nodeId,
    isManager: Swarm?.ControlAvailable ?? false,
    installation: digest(`${nodeId} ${nameOf(root) ?? root}`),
    container: own,
    sourceOf: nameOf,
  };
}

async function findOwn(docker: Docker): Promise<(OwnContainer & { mounts: EngineMount[] }) | null> {
  const id = ownContainerId(readFileSync('/proc/self/mountinfo', 'utf8'));
  if (id === null) return null;
  try {
    const { Image, Config, Mounts } = await docker.getContainer(id).inspect();
    return { imageId: Image, volumes: Object.keys(Config.Volumes ?? {}), mounts: Mounts };
  } catch (error) {
    // A container of another engine: to this one we are a program of its machine, or it cannot see us at all.
    if (isNotFound(error)) return null;
    throw error;
  }
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);
