import { StartRefused, type Runtime } from './runtime.ts';

/** A runtime that has no engine for images: what was deployed from a Dockerfile elsewhere, or before, is refused. */
export function withoutImages<T extends Runtime>(runtime: T): T {
  const start: Runtime['start'] = runtime.start.bind(runtime);
  return Object.assign(runtime, {
    async start(spec: Parameters<typeof start>[0]) {
      if (!spec.image) return start(spec);
      throw new StartRefused(
        'This deployment is an image of a Dockerfile, and the platform does not run images (LILAC_RUNTIME=docker does). ' +
          'Deploy it again without its Dockerfile, or have the operator change that setting.',
      );
    },
  });
}
