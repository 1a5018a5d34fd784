import { pathsOf, type Config } from '../../config.ts';
import { lookAtObjects, type ObjectsLook } from '../../objects/look-at-objects.ts';
import { fail, ok, warn, type CheckFamily, type Finding } from './check.ts';

export const objectChecks: CheckFamily = {
  title: 'Files',
  checks: [
    {
      id: 'objects.store',
      title: 'Uploads and artifacts',
      look: async ({ config }) => judgeObjects(config, await lookAtObjects(config)),
    },
  ],
};

export function judgeObjects(
  config: Pick<Config, 'home' | 'publicUrl'>,
  { bucket, trouble, takesBrowsers }: ObjectsLook,
): Finding {
  if (bucket === null) return ok(`in ${pathsOf(config).objects}`);
  if (trouble !== null) return fail(trouble, 'Mend it; what is kept there cannot be read or written meanwhile.');
  const { origin } = config.publicUrl;
  const rule = `let it take PUT with the header Content-Type from ${origin} (a CORS rule)`;
  if (takesBrowsers === false)
    return warn(`in ${bucket}, which takes no archive from a browser`, `For uploads in the console, ${rule}.`);
  if (takesBrowsers === null)
    return ok(`in ${bucket}; whether it takes archives from a browser it does not say: ${rule}`);
  return ok(`in ${bucket}`);
}
