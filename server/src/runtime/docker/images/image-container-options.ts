import { posix } from 'node:path';
import type { ContainerCreateOptions } from 'dockerode';
import { bind, outputMounts, sharedOptions, TO_OUTPUT, type SharedPlan } from '../container-options.ts';
import type { FirstProcess } from './first-process.ts';
import type { UsedImage } from './read-image.ts';

export interface ImageContainerPlan extends SharedPlan {
  image: UsedImage;
  /** Otherwise the instance's own command takes its place. */
  isCommandItsOwn: boolean;
  first: FirstProcess;
}

/**
 * What programs that are started as root do before they serve: hand files and themselves over to another user, listen
 * on port 80. Nothing that reaches beyond the container.
 */
const ROOT_NEEDS = ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'KILL', 'NET_BIND_SERVICE', 'SETGID', 'SETUID'];

const ITS_OWN = `${TO_OUTPUT}; exec "$@"`;
/** An image may have no shell; ours then does what a shell does by itself. */
const GIVEN = `${TO_OUTPUT}; if [ -x /bin/sh ]; then exec /bin/sh -c "$1"; fi; eval "$1"`;

/** An image is run as it says itself, with what it says itself, and may write into its own files. */
export function imageContainerOptions(plan: ImageContainerPlan): ContainerCreateOptions {
  const { spec, image, first, isCommandItsOwn } = plan;
  const shared = sharedOptions(plan);
  // As the engine itself compares them: of one that it does not find among the mounts it makes a folder on its disk.
  const volumes = new Set(image.volumes.map((path) => posix.join('/', path).replace(/(?<=.)\/$/, '')));
  volumes.delete('/');
  return {
    ...shared,
    Image: image.name,
    Entrypoint: [...first.argv, isCommandItsOwn ? ITS_OWN : GIVEN, 'sh'],
    Cmd: isCommandItsOwn ? [...image.command] : [spec.command],
    // Whether it is well is the fleet's to find out.
    Healthcheck: { Test: ['NONE'] },
    HostConfig: {
      ...shared.HostConfig,
      ReadonlyRootfs: false,
      ...(isRoot(image.user) && { CapAdd: ROOT_NEEDS }),
      Mounts: [
        bind(first.folder, first.at, false),
        ...outputMounts(plan.output),
        ...Array.from(volumes, (path) => memory(path, spec.memoryMb)),
      ],
    },
  };
}

/** A name or a number, with or without a group. Another name may be root's too: it then has less, not more. */
const isRoot = (user: string): boolean => ['', '0', 'root'].includes(user.split(':')[0]!);

/** A volume of the engine's would be on the disk without a bound, and nobody would find it again. */
const memory = (path: string, memoryMb: number) => ({
  Type: 'tmpfs' as const,
  Source: '',
  Target: path,
  TmpfsOptions: { SizeBytes: (memoryMb * 1024 ** 2) / 2, Mode: 0o1777 },
});
