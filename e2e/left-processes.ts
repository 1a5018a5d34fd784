import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/**
 * Every process on this machine that has to do with an installation: by environment, command line or working directory.
 */
export function processesOf(home: string): number[] {
  return allProcesses().filter((pid) => pid !== process.pid && belongsTo(pid, home));
}

/** Every process on this machine that runs just this command, in a sandbox or not. */
export function commandsRunning(command: string): number[] {
  return allProcesses().filter((pid) => commandOf(pid) === command);
}

const allProcesses = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

function commandOf(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1).join(' ');
  } catch {
    // It has ended meanwhile.
    return null;
  }
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
