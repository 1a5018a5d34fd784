import { parseArgs } from 'node:util';
import { openStore } from '../../db/pool.ts';
import { silentLog } from '../../lib/log.ts';
import { compressArtifact } from '../compress-artifact.ts';
import { packStatic } from '../pack-static.ts';
import { removeArtifacts } from '../remove-artifacts.ts';
import { ENVIRONMENT, ORGANISATION } from './bench-ids.ts';
import { openObjects } from './open-objects.ts';

/** Packs, compresses and removes for tests to kill: `node packer-program.ts --url … --objects … --folder … --id …`. */
const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    objects: { type: 'string' },
    folder: { type: 'string' },
    id: { type: 'string' },
  },
});
const store = openStore({ kind: 'url', url: values.url! }, { max: 4, applicationName: 'packer' });
const deps = { store, objects: openObjects(values.objects!), log: silentLog };
const { signal } = new AbortController();
process.stdout.write('packing\n');
await packStatic(deps, {
  artifactId: values.id!,
  organisationId: ORGANISATION,
  environmentId: ENVIRONMENT,
  folder: values.folder!,
  isSinglePage: false,
  signal,
  onLine: () => {},
});
await compressArtifact(deps, values.id!, { signal });
await removeArtifacts(deps, [values.id!]);
await store.close();
