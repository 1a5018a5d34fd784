import { readFileSync } from 'node:fs';

export interface MountPoint {
  path: string;
  isShared: boolean;
}

export const mountPoints = (): MountPoint[] => parseMountPoints(readFileSync('/proc/self/mountinfo', 'utf8'));

export function parseMountPoints(mountinfo: string): MountPoint[] {
  return mountinfo.split('\n').flatMap((line) => {
    const [before = '', source] = line.split(' - ');
    const [, , , , path, , ...tags] = before.split(' ');
    if (path === undefined || source === undefined) return [];
    return { path: plain(path), isShared: tags.some((tag) => tag.startsWith('shared:')) };
  });
}

/** Blanks and the like are written as three octal digits. */
const plain = (path: string): string =>
  path.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
