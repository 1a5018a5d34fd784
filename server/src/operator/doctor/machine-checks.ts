import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { fail, ok, warn, type CheckFamily, type Finding } from './check.ts';
import { formatSize } from './format-size.ts';

const NODE_MAJOR = 24;
const MEBIBYTE = 1024 * 1024;

export const machineChecks: CheckFamily = {
  title: 'Machine',
  checks: [
    { id: 'machine.node', title: 'Node', look: () => judgeNode(process.version, process.execPath) },
    { id: 'machine.memory', title: 'Memory', look: () => judgeMemory(measureMemory()) },
    {
      id: 'machine.open-files',
      title: 'Open files',
      look: () => judgeOpenFiles(readFileSync('/proc/self/limits', 'utf8')),
    },
    { id: 'machine.clock', title: 'Clock', look: () => judgeClock(new Date()) },
  ],
};

export function judgeNode(version: string, path: string): Finding {
  const whose = path.includes('/node_modules/') ? 'the one npm brought' : "the system's";
  const found = `${version}, ${whose} (${path})`;
  return Number(/^v(\d+)/.exec(version)?.[1]) >= NODE_MAJOR
    ? ok(found)
    : fail(found, `Lilac needs Node ${NODE_MAJOR}. Call it as node_modules/.bin/lilac, which finds the right one.`);
}

/** In a container its limit counts, not the machine's memory. */
function measureMemory(): { total: number; available: number } {
  const limit = process.constrainedMemory();
  return { total: limit > 0 ? Math.min(limit, totalmem()) : totalmem(), available: process.availableMemory() };
}

/** The platform at rest takes about 350 MB; the rest is for builds and instances. */
export function judgeMemory({ total, available }: { total: number; available: number }): Finding {
  const found = `${formatSize(total)}, ${formatSize(available)} of it available`;
  if (total < 500 * MEBIBYTE) return fail(found, 'Lilac alone needs about 512 MiB. Use a larger machine.');
  if (total < 1900 * MEBIBYTE) return warn(found, 'Builds of larger projects need 2 GiB or more.');
  if (available < 350 * MEBIBYTE) return warn(found, 'Little memory is left. Stop what is not needed, or add memory.');
  return ok(found);
}

/** Node raises its soft limit to the hard one by itself, so the hard one counts. */
export function judgeOpenFiles(limits: string): Finding {
  const hard = /^Max open files\s+\S+\s+(\S+)/m.exec(limits)?.[1] ?? 'unknown';
  const found = `at most ${hard} for each process`;
  const advice = 'Raise the limit (LimitNOFILE= in a systemd unit, "nofile" in /etc/security/limits.conf).';
  if (hard === 'unlimited' || Number(hard) >= 16_384) return ok(found);
  return Number(hard) < 1024 ? fail(found, advice) : warn(found, `The edge needs two for each open request. ${advice}`);
}

/** Lilac did not exist earlier than this: a clock that says so is wrong. */
const EARLIEST = Date.UTC(2026, 0, 1);
const LATEST = Date.UTC(2100, 0, 1);

export function judgeClock(now: Date): Finding {
  const found = now.toISOString();
  return now.getTime() >= EARLIEST && now.getTime() < LATEST
    ? ok(found)
    : fail(found, 'The clock is wrong: sign-in codes, tokens and certificates fail. Set it and switch on NTP.');
}
