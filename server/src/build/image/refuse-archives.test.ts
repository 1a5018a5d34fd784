import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refuseArchives } from './refuse-archives.ts';

describe('what ADD takes', () => {
  const source = mkdtempSync(join(tmpdir(), 'lilac-added-'));
  beforeAll(() => {
    mkdirSync(join(source, 'project'));
    writeFileSync(join(source, 'project/app.jar'), 'PK');
    writeFileSync(join(source, 'project/data'), gzipSync('x'));
    writeFileSync(join(source, 'project/old'), Buffer.concat([Buffer.alloc(257), Buffer.from('ustar')]));
    symlinkSync('data', join(source, 'project/link'));
  });
  afterAll(() => rmSync(source, { recursive: true }));

  const add = (name: string) => refuseArchives([{ name, line: 3 }], { source, rootDirectory: 'project' });

  it.each(['.', 'app.jar', 'absent'])('%s is taken as it is', (name) => expect(add(name)).resolves.toBeUndefined());

  it.each(['data', 'link', 'old', '/data', 'x.tar', 'x.tar.zst', 'x.tgz'])('%s is packed, and refused', (name) =>
    expect(add(name)).rejects.toThrow(/^Line 3 of the Dockerfile: ADD does not unpack/),
  );
});
