import { chmodSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type Docker from 'dockerode';
import { isAway, isNotFound } from '../../runtime/docker/engine-errors.ts';
import { readBootId } from '../../runtime/held/instance-record.ts';
import { STACK_IMAGE } from '../../runtime/stack-image.ts';
import { NOBODY_UID } from '../../store/store-user.ts';
import { wordsOf } from './engine-failures.ts';
import type { EngineMachine } from './engine-machine.ts';
import { systemPaths } from './machine-files.ts';
import { labelNames, mountsOf, type Bind } from './service-spec.ts';

/** What every service of this machine is made of. */
export interface Ground {
  imageId: string;
  /** The programs of the machine, where the platform is one of them: its own image has them otherwise. */
  binds: readonly Bind[];
  emptied: readonly string[];
}

export type FoundGround = { ground: Ground; lacking: null } | { ground: null; lacking: string };

/** Lends a folder such as servers have, on a volume where they have one. */
export type LendHome = <T>(use: (home: string) => Promise<T>) => Promise<T>;

/** Whether servers can be services here is tried: that there is a swarm says little. Rejects while the engine is away. */
export async function findGround(docker: Docker, machine: EngineMachine, lendHome: LendHome): Promise<FoundGround> {
  if (!machine.isManager) return lacks('the engine of this machine is no manager of a swarm');
  const ground = machine.container ? groundOfImage(machine.container) : await groundOfMachine(docker);
  if (ground === null) return lacks(`the engine lacks the image ${STACK_IMAGE}`);
  const obstacle = await lendHome((home) => findObstacle(docker, machine, { ground, home }));
  return obstacle === null ? { ground, lacking: null } : lacks(obstacle);
}

const lacks = (lacking: string): FoundGround => ({ ground: null, lacking });

const groundOfImage = ({ imageId, volumes }: NonNullable<EngineMachine['container']>): Ground => ({
  imageId,
  binds: [],
  emptied: volumes,
});

async function groundOfMachine(docker: Docker): Promise<Ground | null> {
  try {
    const { Id: imageId } = await docker.getImage(STACK_IMAGE).inspect();
    const binds = systemPaths().map((path) => ({ source: path, target: path, isReadOnly: true }));
    return { imageId, binds, emptied: [] };
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

const ANSWER = 'answer';
/** On which kernel it runs, and in which network: this machine's own, if its engine is. */
const TRIAL = `exec > ${ANSWER} && cat /proc/sys/kernel/random/boot_id && readlink /proc/self/ns/net`;
const TRIAL_MS = 60_000;

/** Runs a container as those of servers are, which writes down where it is. Null: all is as it must be. */
async function findObstacle(
  docker: Docker,
  machine: EngineMachine,
  { ground, home }: { ground: Ground; home: string },
): Promise<string | null> {
  const source = machine.sourceOf(home);
  if (source === null) return 'the files of databases lie in a container itself; give LILAC_HOME a volume';
  chmodSync(home, 0o777);
  const binds = [...ground.binds, { source, target: home, isReadOnly: false }];
  const told = await runTrial(docker, machine, { ground, binds, at: home });
  if (told !== null) return told;
  return judgeAnswer(readAnswer(home));
}

const UNSEEN = 'the engine does not see the files of databases: it has other mounts than the platform';

function judgeAnswer(answer: string | null): string | null {
  if (answer === null) return UNSEEN;
  const [bootId, network] = answer.split('\n');
  if (bootId !== readBootId()) return 'the engine is that of another machine';
  return network === readlinkSync('/proc/self/ns/net') ? null : 'the engine has another network than the platform';
}

interface Trial {
  ground: Ground;
  binds: readonly Bind[];
  at: string;
}

const TRIED = `${labelNames.installation}.tried`;

async function runTrial(docker: Docker, machine: EngineMachine, { ground, binds, at }: Trial): Promise<string | null> {
  const labels = { [TRIED]: machine.installation };
  await removeAll(docker, labels);
  try {
    const container = await docker.createContainer({
      name: `lilac-trial-${randomBytes(6).toString('hex')}`,
      Image: ground.imageId,
      Labels: labels,
      Entrypoint: ['/bin/sh', '-c', TRIAL],
      WorkingDir: at,
      User: `${NOBODY_UID}:${NOBODY_UID}`,
      Healthcheck: { Test: ['NONE'] },
      HostConfig: {
        NetworkMode: 'host',
        ReadonlyRootfs: true,
        CapDrop: ['ALL'],
        LogConfig: { Type: 'none', Config: {} },
        Mounts: mountsOf({ binds, emptied: ground.emptied }) as Docker.MountSettings[],
      },
    });
    await container.start();
    await Promise.race([container.wait(), delay(TRIAL_MS, undefined, { ref: false })]);
    return null;
  } catch (error) {
    if (isAway(error)) throw error;
    if (/bind source path does not exist/.test(wordsOf(error))) return UNSEEN;
    return `the engine cannot run a container as those of databases: ${wordsOf(error)}`;
  } finally {
    await removeAll(docker, labels).catch(() => {});
  }
}

/** Also what was left by somebody who was killed. */
async function removeAll(docker: Docker, labels: Record<string, string>): Promise<void> {
  const label = Object.entries(labels).map(([name, value]) => `${name}=${value}`);
  for (const { Id } of await docker.listContainers({ all: true, filters: { label } })) {
    await docker.getContainer(Id).remove({ force: true, v: true });
  }
}

function readAnswer(home: string): string | null {
  try {
    return readFileSync(join(home, ANSWER), 'utf8');
  } catch {
    return null;
  }
}
