import { readFileSync } from 'node:fs';
import { readIfThere } from '../../../lib/read-if-there.ts';

/** The control group of this task, as a container sees its own. Both versions of the kernel's interface. */
const GROUP = '/sys/fs/cgroup';

export function readProcessorSeconds(): number {
  const one = readNumber('cpuacct/cpuacct.usage') ?? readNumber('cpu,cpuacct/cpuacct.usage');
  if (one !== null) return one / 1e9;
  return (readField('cpu.stat', 'usage_usec') ?? 0) / 1e6;
}

/** Without what the kernel would give up at once. */
export function readMemoryBytes(): number {
  const one = readNumber('memory/memory.usage_in_bytes');
  if (one !== null) return one - (readField('memory/memory.stat', 'total_inactive_file') ?? 0);
  return (readNumber('memory.current') ?? 0) - (readField('memory.stat', 'inactive_file') ?? 0);
}

/** What this process has for itself alone. */
export function readOwnBytes(): number {
  const kilobytes = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  return Number(kilobytes ?? 0) * 1024;
}

/** How often the kernel has ended a process of this group because its memory was used up. */
export const countOutOfMemory = (): number =>
  readField('memory/memory.oom_control', 'oom_kill') ?? readField('memory.events', 'oom_kill') ?? 0;

function readNumber(file: string): number | null {
  const text = readIfThere(`${GROUP}/${file}`);
  return text === null ? null : Number(text);
}

function readField(file: string, name: string): number | null {
  const found = new RegExp(`^${name} (\\d+)$`, 'm').exec(readIfThere(`${GROUP}/${file}`) ?? '')?.[1];
  return found === undefined ? null : Number(found);
}
