import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { namesIn, textOf } from './invariants/left-processes.ts';

/** Something that a user has on this machine, wherever an installation has its home. */
export interface Trace {
  name: string;
  uid: number;
}

/** Where everybody may write. Deeper down in them only who has a folder there, which is found itself. */
const OPEN_TO_ALL = ['/tmp', '/var/tmp', '/dev/shm', '/dev/mqueue', '/run/lock'];
const SYSTEM_V = ['shm', 'msg', 'sem'];

/** Files where everybody may have some, and what System V keeps: neither ends with the process that made it. */
export function listTraces(): Trace[] {
  return [
    ...OPEN_TO_ALL.flatMap((folder) => namesIn(folder).flatMap((name) => ownedFile(join(folder, name)))),
    ...SYSTEM_V.flatMap((kind) => parseSystemV(kind, textOf(`/proc/sysvipc/${kind}`))),
  ];
}

/** The kernel's table: its columns have names, and whose a thing is is one of them. */
export function parseSystemV(kind: string, table: string): Trace[] {
  const [header = [], ...lines] = table.split('\n').map((line) => line.trim().split(/\s+/));
  const [id, uid] = [header.indexOf(kind === 'msg' ? 'msqid' : `${kind}id`), header.indexOf('uid')];
  return lines
    .filter((values) => values.length > 1)
    .map((values) => ({ name: `System V ${kind} ${values[id]}`, uid: Number(values[uid]) }));
}

function ownedFile(path: string): Trace[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found ? [{ name: path, uid: found.uid }] : [];
}
