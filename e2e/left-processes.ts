import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Every process on this machine that has to do with an installation: by environment, command line or working directory. */
export function processesOf(home: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && belongsTo(pid, home));
}

export function belongsTo(pid: number, home: string): boolean {
  try {
    const words = ['environ', 'cmdline'].flatMap((file) => readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0'));
    const isNamed = words.some((word) => word === `LILAC_HOME=${home}` || word.startsWith(`${home}/`));
    return isNamed || readlinkSync(`/proc/${pid}/cwd`).startsWith(home);
  } catch {
    // It has ended meanwhile.
    return false;
  }
}
