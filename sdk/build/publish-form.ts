import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const file = join(import.meta.dirname, '..', 'package.json');
const own = join(import.meta.dirname, '..', 'dist', 'workspace-package.json');

/**
 * In this repository the package is its source, outside it is what was built: while `npm pack` packs, package.json
 * says the latter. npm has no setting for that. A pack that was broken off is mended by the next, or by `restore`.
 */
const steps = {
  take() {
    copyFileSync(file, own);
    replace(`${JSON.stringify(published(JSON.parse(readFileSync(file, 'utf8')) as Manifest), null, 2)}\n`);
  },
  restore() {
    if (!existsSync(own)) return;
    replace(readFileSync(own, 'utf8'));
    rmSync(own);
  },
};

type Manifest = Record<'name' | 'version' | 'description' | 'license', string>;

function published({ name, version, description, license }: Manifest): object {
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    exports: { '.': { types: './dist/types/sdk/src/lilac.d.ts', default: './dist/lilac.js' } },
    files: ['dist/lilac.js', 'dist/types', 'dist/LICENSE'],
    sideEffects: false,
    engines: { node: '>=20' },
  };
}

/** Somebody may read it at this moment: it is always whole. */
function replace(text: string): void {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

const step = process.argv[2];
if (step !== 'take' && step !== 'restore') throw new Error('Say what to do: take or restore.');
steps[step]();
