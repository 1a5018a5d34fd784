import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { filesOf } from '../server/src/engines/host/place-files.ts';
import { createRecord, setAside } from '../server/src/engines/host/place-record.ts';
import { diskByFolder, ROWS } from './disk.ts';

let home: string;
let root: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'lilac-soak-disk-'));
  root = join(home, 'databases');
});

afterEach(() => rmSync(home, { recursive: true }));

const write = (path: string, megabytes: number): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, Buffer.alloc(megabytes * 1024 ** 2, 1));
};

function addServer(serverId: string, databaseId: string): ReturnType<typeof filesOf> {
  const size = { memoryMb: 512, cpus: 1, storageGb: 1 };
  const rest = { type: 'postgresql', uid: null, cgroup: [], isGoing: false } as const;
  createRecord(root, { version: 1, serverId, databaseId, size, volume: { kind: 'folder' }, ...rest });
  return filesOf(join(root, serverId));
}

const rounded = (disk: Record<string, number>) =>
  Object.fromEntries(Object.entries(disk).map(([name, megabytes]) => [name, Math.round(megabytes)]));

const look = () => rounded(diskByFolder(home, new Set(['db_kept'])));

describe('the disk that a home takes', () => {
  it('is told by folder, with what people wrote to their databases apart', () => {
    write(join(home, 'logs', 'api.log'), 2);
    const { home: rows, image, log } = addServer('srv_kept', 'db_kept');
    write(join(rows, 'base', 'table'), 3);
    write(image, 4);
    write(log, 1);
    expect(look()).toEqual({ logs: 2, databases: 1, [ROWS]: 7 });
  });

  it('has with the databases what is left of one that nobody has any more, in its folder or set aside', () => {
    write(addServer('srv_kept', 'db_kept').home, 3);
    write(addServer('srv_left', 'db_dropped').home, 2);
    expect(look()).toEqual({ databases: 2, [ROWS]: 3 });
    setAside(root, 'srv_left');
    expect(look()).toEqual({ databases: 2, [ROWS]: 3 });
    setAside(root, 'srv_kept');
    expect(look()).toEqual({ databases: 5, [ROWS]: 0 });
  });

  it('has with the databases what no record explains, or one that cannot be read', () => {
    write(join(root, 'srv_strange', 'v', 'v', 'home', 'table'), 2);
    const { record, home: rows } = addServer('srv_kept', 'db_kept');
    write(rows, 3);
    expect(look()).toEqual({ databases: 2, [ROWS]: 3 });
    writeFileSync(`${record}.half`, '{');
    renameSync(`${record}.half`, record);
    expect(look()).toEqual({ databases: 5, [ROWS]: 0 });
  });

  it('is nothing of databases before there is any', () => {
    expect(look()).toEqual({ [ROWS]: 0 });
  });
});
