import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let clone;
beforeEach(() => (clone = mkdtempSync(join(tmpdir(), 'lilac-clone-'))));
afterEach(() => rmSync(clone, { recursive: true }));

const here = import.meta.dirname;
/** Writes down what it is asked for, and lays two packages down: one of all, and one of a workspace. */
const NPM = `#!/bin/sh
printf "%s\\n" "$@" >> "$0.asked"
env >> "$0.asked"
for folder in node_modules/a console/node_modules/a; do mkdir -p $folder; echo '{}' > $folder/package.json; done
`;
const LOCK = {
  packages: {
    '': { name: 'whole' },
    console: { version: '0.1.0' },
    'node_modules/a': { version: '1.0.0' },
    'console/node_modules/a': { version: '2.0.0' },
    'node_modules/elsewhere': { version: '1.0.0', optional: true, os: ['plan9'] },
  },
};

/** A clone with nothing in it but a lock file, and an npm that is ours. */
function setUpClone() {
  const [scripts, programs] = [join(clone, 'scripts'), join(clone, 'programs')];
  for (const folder of [scripts, programs, join(clone, 'node_modules')]) mkdirSync(folder);
  for (const name of ['install-packages.mjs', 'find-node.mjs', 'run-program.mjs']) {
    copyFileSync(join(here, name), join(scripts, name));
  }
  writeFileSync(join(clone, 'package-lock.json'), JSON.stringify(LOCK));
  const npm = join(programs, 'npm');
  writeFileSync(npm, NPM, { mode: 0o755 });
  const program = `import { installPackages } from ${JSON.stringify(join(scripts, 'install-packages.mjs'))}; await installPackages();`;
  const env = { PATH: `${programs}:/usr/bin:/bin`, npm_lifecycle_event: 'start' };
  return {
    asked: () => (existsSync(`${npm}.asked`) ? readFileSync(`${npm}.asked`, 'utf8').split('\n') : []),
    forget: () => rmSync(`${npm}.asked`),
    install: () => execFileSync(process.execPath, ['--input-type=module', '--eval', program], { env, cwd: clone }),
  };
}

describe('what set-up installs', () => {
  it('is what the lock file says, and no script of a package is run; once', () => {
    const { asked, forget, install } = setUpClone();
    install();
    expect(asked()[0]).toBe('ci');
    expect(asked()).toContain('--ignore-scripts');
    expect(asked().filter((line) => line.startsWith('npm_lifecycle'))).toEqual([]);
    forget();
    install();
    expect(asked()).toEqual([]);
  });

  it.each(['console/node_modules', 'console/node_modules/a', 'node_modules/a/package.json'])(
    'is installed anew when %s is lost, though all else is there',
    (path) => {
      const { asked, forget, install } = setUpClone();
      install();
      forget();
      rmSync(join(clone, path), { recursive: true });
      install();
      expect(asked()[0]).toBe('ci');
      forget();
      install();
      expect(asked()).toEqual([]);
    },
  );

  it('is known by its hash, whatever a registry gives', () => {
    const { packages } = JSON.parse(readFileSync(join(here, '..', 'package-lock.json'), 'utf8'));
    const fetched = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);
    expect(fetched.length).toBeGreaterThan(300);
    const unknown = fetched.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'));
    expect(unknown.map(([path]) => path)).toEqual([]);
  });
});
