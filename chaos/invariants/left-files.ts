import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { mountsBelow } from '../../server/src/runtime/docker/mount-stage.ts';
import { isExpected, type Expected } from './expected.ts';
import { namesIn } from './left-processes.ts';

/** Folders of what is not there: of builds, instances, their output, servers of databases; and half of something. */
export function leftFolders(expected: Expected): string[] {
  const { home } = expected;
  const below = (...parts: string[]) => namesIn(join(home, ...parts)).map((name) => join(...parts, name));
  const owned = [...below('instances'), ...below('outputs'), ...below('databases')];
  const others = [...below('cache', 'slugs'), ...below('run')];
  return [
    ...below('builds'),
    ...below('objects', '~incoming'),
    // What all share has a dot in front, and so has what is half of something.
    ...owned.filter((path) => !/\/\./.test(path) && !isExpected(expected, path)),
    ...[...owned, ...others].filter((path) => /\/\.(draft|probe|gone)|\.new$/.test(path)),
  ];
}

export function leftMounts(expected: Expected): string[] {
  return mountsBelow(expected.home)
    .filter((path) => !isExpected(expected, path))
    .map((path) => `mount ${path}`);
}

/** Objects that no row names. */
export function leftObjects({ home }: Expected, named: ReadonlySet<string>): string[] {
  const root = join(home, 'objects');
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((key) => !key.startsWith('~') && !named.has(key))
    .map((key) => `object ${key}`);
}

/** Objects that a row names and that are not there. */
export function lostObjects({ home }: Expected, needed: ReadonlySet<string>): string[] {
  const root = join(home, 'objects');
  const there = new Set(
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name))),
  );
  return [...needed].filter((key) => !there.has(key)).map((key) => `object ${key}`);
}
