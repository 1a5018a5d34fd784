import { join } from 'node:path';
import type { ContainerCreateOptions } from 'dockerode';
import { uidOf } from '../../sandbox/uids.ts';
import { inner } from '../inner-paths.ts';
import { instanceEnvironment } from '../instance-environment.ts';
import type { NetworkLease } from '../instance-networks.ts';
import { refuseMissing } from '../refuse-missing.ts';
import type { InstanceSpec } from '../runtime.ts';
import type { SlugCache } from '../slugs/slug-cache.ts';
import type { ToolSource } from '../tools.ts';
import { containerOptions, type SharedPlan } from './container-options.ts';
import { asRefusal } from './engine.ts';
import type { DockerImages } from './images/docker-images.ts';
import type { FirstProcess } from './images/first-process.ts';
import { imageContainerOptions } from './images/image-container-options.ts';
import { imageLabels } from './images/image-names.ts';
import { mountStage } from './mount-stage.ts';

/** What instances are made of. */
export interface Matter {
  socketPath: string;
  tools: ToolSource;
  slugs: SlugCache;
  images: Pick<DockerImages, 'use'>;
  first: () => Promise<FirstProcess>;
}

export interface Taken {
  shared: Omit<SharedPlan, 'env'>;
  folder: string;
  lease: NetworkLease;
}

/** What a container is asked for with, once everything was taken for it. */
export type Ask = (taken: Taken) => Promise<ContainerCreateOptions>;

/** Sees that all is there that it is made of, before anything is taken for it. */
export const askContainer = (spec: InstanceSpec, matter: Matter): Promise<Ask> =>
  spec.image ? ofImage(spec, spec.image, matter) : ofSlug(spec, matter);

async function ofSlug(spec: InstanceSpec, matter: Matter): Promise<Ask> {
  const uid = uidOf(spec.environmentId);
  const [slug, tools] = await Promise.all([
    matter.slugs.use({ ...spec.slug, uid }).catch(refuseMissing),
    matter.tools(spec.tools),
  ]);
  return async ({ shared, folder, lease }) => {
    const stage = await mountStage({ folder, slug, uid, sizeBytes: (spec.memoryMb * 1024 ** 2) / 2 });
    const env = instanceEnvironment(spec, { tools, lease });
    const cwd = join(inner.app, join('/', spec.workDirectory));
    return containerOptions({ ...shared, env, cwd, uid, stage, tools: tools.mounts });
  };
}

async function ofImage(
  spec: InstanceSpec,
  { isCommandItsOwn }: NonNullable<InstanceSpec['image']>,
  matter: Matter,
): Promise<Ask> {
  const [image, first] = await Promise.all([matter.images.use(spec.slug), matter.first()]).catch((error: unknown) => {
    throw asRefusal(error, matter.socketPath);
  });
  return async ({ shared, lease }) => {
    const env = { ...spec.env, PORT: String(lease.port) };
    const labels = { ...shared.labels, [imageLabels.instance]: '' };
    return imageContainerOptions({ ...shared, labels, env, image, first, isCommandItsOwn });
  };
}
