import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../config.ts';
import { silentLog } from '../../lib/log.ts';
import { createRunTools } from './run-tools.ts';

let home: string;
beforeEach(() => (home = mkdtempSync(join(tmpdir(), 'lilac-run-tools-'))));
afterEach(() => rmSync(home, { recursive: true }));

/** A program of the system, which a sandbox of this machine sees where it lies. */
const own = { program: '/usr/bin/env', version: '99.1.0' };

const toolsFor = (areInImage: boolean) =>
  createRunTools({ config: readConfig({ LILAC_HOME: home }), log: silentLog, areInImage, own })({ node: own.version });

describe('the platform’s Node, where it is the system’s', () => {
  it('is seen where it lies by who sees this machine', async () => {
    expect(await toolsFor(false)).toMatchObject({ mounts: [], searchPath: [], node: null });
  });

  it('is given to who sees an image, which may have another in its place', async () => {
    const { mounts, searchPath, node } = await toolsFor(true);
    expect(node).toEqual({ version: own.version, at: '/home/tools/node', program: '/home/tools/node/bin/node' });
    expect(searchPath).toEqual(['/home/tools/node/bin']);
    expect(mounts).toEqual([{ kind: 'folder', from: expect.any(String), at: '/home/tools/node', isWritable: false }]);
    const program = join((mounts[0] as { from: string }).from, 'bin', 'node');
    expect(readFileSync(program).equals(readFileSync(own.program))).toBe(true);
    expect(statSync(program).mode & 0o777).toBe(0o755);
  });
});
