import { StartRefused, type Runtime } from './runtime.ts';

/** A runtime that has no engine for images: what was deployed from a Dockerfile elsewhere, or before, is refused. */
export function withoutImages<T extends Runtime>(runtime: T): T {
  return {
    ...runtime,
    async start(spec) {
      if (!spec.image) return runtime.start(spec);
      throw new StartRefused(
        'This deployment is an image of a Dockerfile, and the platform does not run images (LILAC_RUNTIME=docker does). ' +
          'Deploy it again without its Dockerfile, or have the operator change that setting.',
      );
    },
  };
}
