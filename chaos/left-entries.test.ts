import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pathsOf } from '../server/src/config.ts';
import { blamed } from './invariants/left-temporary.ts';
import { mayBeThere, strangeEntries } from './invariants/strange-entries.ts';

describe('what is in a home', () => {
  it('is well where it has a name in the configuration, or is of a kind that is known there', () => {
    const named = Object.values(pathsOf({ home: '' }));
    const kinds = ['run/edges/0.sock', 'run/ready.json', 'run/routes.json.lock', 'cache/slugs/art_01abc', 'store/data'];
    expect([...named, ...kinds].filter((path) => !mayBeThere(path))).toEqual([]);
  });

  it('is left by somebody where it is not', () => {
    const home = mkdtempSync(join(tmpdir(), 'lilac-entries-'));
    try {
      const folders = ['cache/slugs', 'cache/toolchains/node', 'run/edges', 'instances/ins_1', 'store/data'];
      for (const folder of folders) mkdirSync(join(home, folder), { recursive: true });
      const left = ['left-1', 'cache/left-2', 'cache/slugs/left-3', 'run/left-4', 'instances/.left-5', 'store/left-6'];
      for (const path of [...left, 'host-id', 'run/roles.json', 'store/data/PG_VERSION']) {
        writeFileSync(join(home, path), 'something');
      }
      expect(strangeEntries(home).toSorted()).toEqual(left.toSorted());
    } finally {
      rmSync(home, { recursive: true });
    }
  });
});

describe('a new file in the temporary folder of the machine', () => {
  const nothing = { ids: ['dep_1'], held: new Set<string>(), isAlone: false };

  it("is the platform's where it names what this run has made, or one of its processes has it open", () => {
    const paths = ['/tmp/source-dep_1.tar', '/tmp/source-dep_2.tar', '/tmp/open', '/tmp/opened'];
    const held = new Set(['/tmp/open/inside']);
    expect(blamed(paths, { ...nothing, held })).toEqual(['/tmp/source-dep_1.tar', '/tmp/open']);
  });

  it('is by its name alone only where nobody else here has to do with Lilac, and never that of a test', () => {
    const paths = ['/tmp/lilac-upload-1', '/tmp/somebody', '/tmp/lilac-e2e-compiled'];
    expect(blamed(paths, nothing)).toEqual([]);
    expect(blamed(paths, { ...nothing, isAlone: true })).toEqual(['/tmp/lilac-upload-1']);
  });
});
