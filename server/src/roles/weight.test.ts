import { join } from 'node:path';
import { expect, it } from 'vitest';
import { run } from '../lib/exec.ts';

/** What most installations never use: each would make every start slower, and every process larger. */
const onlyWhenUsed = ['dockerode', '@aws-sdk/client-s3', 'acme-client'];

it.each(['api', 'worker', 'edge'])(
  '%s loads neither the engine of Docker, nor a bucket, nor an authority',
  async (role) => {
    const loaded = await packagesOf(join(import.meta.dirname, `${role}.ts`));
    expect(loaded).toContain('pg');
    expect(loaded.filter((name) => onlyWhenUsed.includes(name))).toEqual([]);
  },
);

/** The names of all packages that a module loads before anything is asked of it. */
async function packagesOf(file: string): Promise<string[]> {
  const script = `
    import { registerHooks } from 'node:module';
    const names = new Set();
    registerHooks({
      load(url, context, next) {
        const name = url.split('/node_modules/').at(-1)?.match(/^(?:@[^/]+[/])?[^/]+/)?.[0];
        if (url.includes('/node_modules/')) names.add(name);
        return next(url, context);
      },
    });
    await import(${JSON.stringify(file)});
    console.log(JSON.stringify([...names]));
    process.exit(0);`;
  const { stdout, stderr } = await run([process.execPath, '--input-type=module', '--eval', script], { env: {} });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as string[];
}
