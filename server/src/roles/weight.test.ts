import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../lib/exec.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const roles = ['api', 'worker', 'edge'];

/** What most installations never use: each would make every start slower, and every process larger. */
const onlyWhenUsed = ['dockerode', '@aws-sdk/client-s3', 'acme-client'];

it.each(roles)('%s loads neither the engine of Docker, nor a bucket, nor an authority', async (role) => {
  const { packages } = await loadedBy(join(import.meta.dirname, `${role}.ts`));
  expect(packages).toContain('pg');
  expect(packages.filter((name) => onlyWhenUsed.includes(name))).toEqual([]);
});

describe('what was built', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-built-'));
  beforeAll(async () => {
    const program = join(root, 'server', 'build', 'bundle.ts');
    const { exitCode, stderr } = await run([process.execPath, program, folder], { env: {} });
    if (exitCode !== 0) throw new Error(stderr);
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(roles)('of %s is few files, and Node loads nothing of a browser for it', async (role) => {
    const name = readdirSync(folder).find((file) => new RegExp(`^${role}-[\\w-]{8}\\.mjs$`).test(file))!;
    const { files, packages, ofNode } = await loadedBy(join(folder, name));
    expect(packages.filter((each) => each !== '@node-rs/argon2' && !each.startsWith('@node-rs/argon2-'))).toEqual([]);
    expect(files).toBeLessThan(100);
    expect(ofNode).toContain('NativeModule http');
    expect(ofNode.filter((each) => each.includes('undici'))).toEqual([]);
  });
});

interface Loaded {
  files: number;
  /** The names of packages. */
  packages: string[];
  /** What Node has loaded of its own. */
  ofNode: string[];
}

/** What a module loads before anything is asked of it. */
async function loadedBy(file: string): Promise<Loaded> {
  const script = `
    import { registerHooks } from 'node:module';
    const urls = [];
    registerHooks({
      load(url, context, next) {
        if (url.startsWith('file:')) urls.push(url);
        return next(url, context);
      },
    });
    await import(${JSON.stringify(file)});
    const ofPackages = urls.filter((url) => url.includes('/node_modules/'));
    const names = ofPackages.map((url) => url.split('/node_modules/').at(-1).match(/^(?:@[^/]+[/])?[^/]+/)[0]);
    const loaded = { files: urls.length, packages: [...new Set(names)], ofNode: process.moduleLoadList };
    console.log(JSON.stringify(loaded));
    process.exit(0);`;
  const { stdout, stderr } = await run([process.execPath, '--input-type=module', '--eval', script], { env: {} });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as Loaded;
}
