import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run, start } from '../lib/exec.ts';
import { eventually } from '../testing/eventually.ts';
import { planCgroup } from './cgroups/cgroup.ts';
import { findCgroupFolders } from './cgroups/find-folders.ts';
import { canFilterCalls, detectIsolation } from './detect-isolation.ts';
import { runSandboxed } from './run-sandboxed.ts';
import type { Isolation } from './sandbox.ts';
import { openSandboxBench, type SandboxBench } from './testing/sandbox-bench.ts';

let bench: SandboxBench;
let isolation: Isolation;
beforeAll(async () => {
  bench = openSandboxBench();
  isolation = await bench.sandbox.isolation();
  for (const lack of isolation.lacking) console.warn(`sandbox tests: ${lack}`);
});
afterAll(() => bench[Symbol.dispose]());

const probe = openSandboxBench();
const offered = await probe.sandbox.isolation();
probe[Symbol.dispose]();
const isWrapped = offered.bubblewrap !== null;
const isLimited = offered.limited.length === 3;

/** A number nobody else sleeps for, to find the processes of one test by. */
const newMarker = () => String(100_000 + Math.floor(Math.random() * 900_000));
const isRunning = (marker: string) =>
  readdirSync('/proc').some((pid) => /^\d+$/.test(pid) && commandOf(pid) === `sleep\0${marker}\0`);
function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

const eightMebibytes = () => Readable.from([Buffer.alloc(1024), Buffer.alloc(8 * 1024 * 1024)]);

describe('what a sandboxed program sees', () => {
  it('its own folder, which it may write', async () => {
    const { outcome } = await bench.run('echo made > file');
    expect(outcome).toEqual({ kind: 'exited', exitCode: 0 });
    expect(readFileSync(join(bench.work, 'file'), 'utf8')).toBe('made\n');
  });

  it.runIf(isWrapped)('nothing else of LILAC_HOME, nor of any other home', async () => {
    mkdirSync(join(bench.home, 'secrets'), { recursive: true });
    writeFileSync(join(bench.home, 'secrets', 'keyring.json'), 'the keys');
    const { lines } = await bench.run(`ls ${bench.home} /root; ls /home; cat ${bench.home}/secrets/keyring.json`);
    expect(lines).not.toContain('the keys');
    expect(lines.filter((line) => !/No such file/.test(line))).toEqual(['work']);
  });

  it('none of the host’s environment, and its own byte for byte', async () => {
    const values = {
      QUOTES: `a'b"c\`d$e#f\\g $(id) \${HOME}`,
      LINES: 'one\ntwo\r\n\nthree\n',
      UNICODE: 'ünïcödé 🌸 ﷽',
      EMPTY: '',
      SPACES: '  both sides  ',
      LD_PRELOAD: '',
    };
    const env = { PATH: '/usr/bin:/bin', ...values };
    const { outcome } = await bench.run('env -0 > env', { env });
    expect(outcome).toEqual({ kind: 'exited', exitCode: 0 });
    const written = readFileSync(join(bench.work, 'env'), 'utf8').split('\0').filter(Boolean);
    const seen = Object.fromEntries(written.map((entry) => entry.split(/=([\s\S]*)/, 2)));
    delete seen.PWD;
    expect(seen).toEqual(env);
  });

  it('that values are in no argv', async () => {
    const { lines } = await bench.run('cat /proc/[0-9]*/cmdline | tr "\\0" " "', {
      env: { PATH: '/usr/bin:/bin', K: 'hunter22' },
    });
    expect(lines.join('\n')).not.toContain('hunter22');
  });

  it('that values are in no argv of the whole machine either, from its start on', async () => {
    const [marker, value] = [newMarker(), `hunter${newMarker()}`];
    const aborting = new AbortController();
    const env = { PATH: '/usr/bin:/bin', K: value };
    const running = bench.run(`sleep ${marker}`, { env, signal: aborting.signal });
    const seen = new Set<string>();
    await eventually('it runs, and was looked at since', () => {
      const wasRunning = isRunning(marker);
      for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) seen.add(commandOf(pid));
      return wasRunning;
    });
    aborting.abort();
    await running;
    expect([...seen].some((command) => command.includes(marker))).toBe(true);
    expect([...seen].filter((command) => command.includes(value))).toEqual([]);
  });

  it('no process but its own', async () => {
    const { lines } = await bench.run('ls /proc | grep -c "^[0-9]*$"');
    expect(Number(lines[0])).toBeLessThan(8);
  });

  it('no descriptor that whoever started the platform had open', async () => {
    const script = join(import.meta.dirname, 'testing', 'list-descriptors.ts');
    const { stdout, exitCode } = await run(
      ['bash', '-c', 'exec 7</etc/passwd 251</etc/passwd; exec "$@"', 'sh', process.execPath, script, bench.home],
      { env: { PATH: '/usr/bin:/bin' } },
    );
    expect(exitCode).toBe(0);
    expect(stdout).not.toContain('/etc/passwd');
    expect(stdout.match(/->/g)).toHaveLength(4);
  });

  it('a read-only folder that it cannot write', async () => {
    const from = bench.makeFolder('tools');
    const mounts = [{ kind: 'folder', from, at: '/home/tools', isWritable: false } as const];
    const { outcome } = await bench.run('touch /home/tools/x', { mounts, cwd: '/home/tools' });
    expect(outcome).toEqual({ kind: 'exited', exitCode: offered.bubblewrap ? 1 : 0 });
  });

  it.runIf(offered.canOverlay)('a kept folder that it may change without changing it', async () => {
    const lower = bench.makeFolder('kept');
    writeFileSync(join(lower, 'file'), 'kept');
    chmodSync(join(lower, 'file'), 0o666);
    const [upper, work] = [bench.makeFolder('upper'), bench.makeFolder('overlay-work')];
    const mounts = [{ kind: 'overlay', lower, upper, work, at: '/home/kept' } as const];
    const { lines } = await bench.run('echo changed > file; cat file; rm file; ls', { mounts, cwd: '/home/kept' });
    expect(lines).toEqual(['changed']);
    expect(readFileSync(join(lower, 'file'), 'utf8')).toBe('kept');
    // The next command of the same build goes on with it.
    await bench.run('ls; echo again > other', { mounts, cwd: '/home/kept' });
    expect((await bench.run('ls', { mounts, cwd: '/home/kept' })).lines).toEqual(['other']);
  });
});

describe('what a sandboxed program may do', () => {
  it('has no capability and can gain none', async () => {
    const { lines } = await bench.run('grep -E "^(Cap|NoNewPrivs)" /proc/self/status; id -u');
    const status = Object.fromEntries(lines.map((line) => line.split(/:\s*/)));
    for (const name of ['CapInh', 'CapPrm', 'CapEff', 'CapAmb']) expect(status[name]).toMatch(/^0+$/);
    expect(status.NoNewPrivs).toBe('1');
    expect(lines.at(-1)).not.toBe('0');
  });

  it.runIf(isWrapped)('cannot write the system, mount, or make namespaces', async () => {
    const attempts = ['touch /usr/x', 'touch /etc/x', 'touch /x', 'mount -t tmpfs t /tmp', 'unshare -U true'];
    const { lines } = await bench.run(
      attempts.map((attempt) => `(${attempt}) 2>/dev/null && echo "${attempt}"`).join('\n'),
    );
    expect(lines).toEqual([]);
  });

  it('cannot take the whole disk with one file', async () => {
    const { outcome, lines } = await bench.run('ulimit -f; fallocate -l 9G big && echo made');
    expect(outcome).not.toEqual({ kind: 'exited', exitCode: 0 });
    expect(lines).not.toContain('made');
  });

  it.runIf(isWrapped && canFilterCalls())(
    'cannot reserve room that it does not write; what it writes instead counts',
    async () => {
      const script = `fallocate -l 64M a || echo refused; fallocate -n -l 64M b || echo refused
      python3 -c 'import os; f = os.open("c", os.O_RDWR | os.O_CREAT); os.posix_fallocate(f, 0, 100000); print(os.fstat(f).st_size)'`;
      const { lines } = await bench.run(script);
      expect(lines.filter((line) => /^(?:refused|\d+)$/.test(line))).toEqual(['refused', 'refused', '100000']);
    },
  );

  it('is known by all its processes, also those that left their parents', async () => {
    const marker = newMarker();
    const known: (() => number[])[] = [];
    const stop = new AbortController();
    const script = `(setsid sleep ${marker} &) ; sleep ${marker}`;
    const ran = bench.run(script, { signal: stop.signal, onStart: (list) => void known.push(list) });
    const sleeping = () => (known[0]?.() ?? []).filter((pid) => commandOf(String(pid)) === `sleep\0${marker}\0`);
    await eventually('both are known', () => sleeping().length === 2);
    stop.abort();
    expect((await ran).outcome).toEqual({ kind: 'aborted' });
  });

  it.runIf(isLimited)('a hog of memory is ended, and it is told', async () => {
    const hog = ['/usr/bin/env', 'perl', '-e', 'my @a; push @a, "x" x 1048576 while 1'] as const;
    const { outcome } = await bench.run('', { argv: hog });
    expect(outcome).toEqual({ kind: 'out-of-memory' });
  });

  it.runIf(isLimited)('a hog whose parent waits on is ended too', async () => {
    const { outcome } = await bench.run(`perl -e 'my @a; push @a, "x" x 1048576 while 1' & sleep 1000`);
    expect(outcome).toEqual({ kind: 'out-of-memory' });
  });

  it.runIf(isLimited)('a fork bomb ends at the limit of processes', async () => {
    const marker = newMarker();
    const { outcome } = await bench.run(`for i in $(seq 200); do sleep ${marker} & done`);
    expect(outcome.kind).toBe('exited');
    expect(outcome).not.toMatchObject({ exitCode: 0 });
    expect(isRunning(marker)).toBe(false);
  });

  it('is ended when it takes too long', async () => {
    const limits = { memoryMb: 256, cpus: 1, pids: 64, timeoutMs: 300 };
    expect((await bench.run('sleep 1000', { limits })).outcome).toEqual({ kind: 'timed-out' });
  });
});

describe('the end of a sandbox', () => {
  it('need not read all that it is given', async () => {
    for (let round = 0; round < 10; round++) {
      const { outcome } = await bench.run('head -c 10 > /dev/null', { input: eightMebibytes });
      expect(outcome).toEqual({ kind: 'exited', exitCode: 0 });
    }
  });

  it('tells the exit code', async () => {
    expect((await bench.run('exit 7')).outcome).toEqual({ kind: 'exited', exitCode: 7 });
  });

  it('an abort ends the whole tree, daemons and sessions of their own too', async () => {
    const marker = newMarker();
    const aborting = new AbortController();
    const running = bench.run(
      `setsid sleep ${marker} & (setsid sh -c 'sleep ${marker} & sleep ${marker}' &) ; echo up; wait`,
      {
        signal: aborting.signal,
        onLine: () => void eventually('it runs', () => isRunning(marker)).then(() => aborting.abort()),
      },
    );
    expect((await running).outcome).toEqual({ kind: 'aborted' });
    expect(isRunning(marker)).toBe(false);
  });

  it('no daemon outlives the program', async () => {
    const marker = newMarker();
    await bench.run(`setsid sleep ${marker} >/dev/null 2>&1 & sleep 0.1`);
    expect(isRunning(marker)).toBe(false);
  });

  it('kill -9 of who started it ends the whole tree; a sweep removes the rest', async () => {
    const marker = newMarker();
    const script = join(import.meta.dirname, 'testing', 'killed-parent.ts');
    const parent = start([process.execPath, script, bench.home, marker], {
      env: { PATH: '/usr/bin:/bin' },
      stdio: 'inherit',
    });
    await eventually('it runs', () => isRunning(marker));
    parent.kill('SIGKILL');
    await eventually('it is gone', () => !isRunning(marker));
    await eventually('the parent is gone', () => parent.signalCode !== null);
    await bench.sandbox.sweep();
    const groups = findCgroupFolders().flatMap(({ path }) => readdirSync(path));
    expect(groups.filter((name) => name.endsWith('-orphan'))).toEqual([]);
    expect(readdirSync(join(bench.home, 'run', 'sandboxes'))).toEqual(['stage']);
  });

  it('leaves no control group and no record', async () => {
    await bench.run('true');
    expect(readdirSync(join(bench.home, 'run', 'sandboxes'))).toEqual(['stage']);
    const groups = findCgroupFolders().flatMap(({ path }) => readdirSync(path));
    expect(groups.filter((name) => name.includes(`bench-${process.pid}-`))).toEqual([]);
  });
});

describe('the output of a sandbox', () => {
  it('comes as lines in the order they were written', async () => {
    const { lines } = await bench.run('echo 1; echo 2 >&2; echo 3; printf "4\\r5\\r\\n6"');
    expect(lines).toEqual(['1', '2', '3', '4', '5', '6']);
  });

  it('may be written by the names of its descriptors, again and again', async () => {
    const { outcome, lines } = await bench.run('echo 1 > /dev/stdout; echo 2 > /dev/stderr; echo 3 >> /proc/self/fd/1');
    expect(outcome).toEqual({ kind: 'exited', exitCode: 0 });
    expect(lines).toEqual(['1', '2', '3']);
  });

  it('lets others have their turn between lines that come at once, though each takes its reader a while', async () => {
    let turnsAt: number[] = [];
    const turns = setInterval(() => turnsAt.push(performance.now()), 1);
    const spans: number[] = [];
    let before = 0;
    await bench.run('head -c 4000 /dev/zero | tr "\\0" "\\n"', {
      onLine: () => {
        // A line after a turn, or without one.
        if (turnsAt.length > 0) [before, turnsAt] = [performance.now(), []];
        const end = performance.now() + 0.5;
        while (performance.now() < end);
        if (before > 0) spans.push(performance.now() - before);
      },
    });
    clearInterval(turns);
    expect(spans.length).toBeGreaterThan(3000);
    // Two seconds without one, if nobody gave it up.
    expect(spans.toSorted((a, b) => a - b)[Math.floor(spans.length * 0.9)]).toBeLessThan(200);
  });

  it('is slowed by a slow reader, not piled up', async () => {
    let seen = 0;
    const aborting = new AbortController();
    const { outcome } = await bench.run('yes', {
      signal: aborting.signal,
      onLine: async () => {
        if (++seen === 1000) aborting.abort();
      },
    });
    expect(outcome).toEqual({ kind: 'aborted' });
  });
});

describe('without bubblewrap, as root', () => {
  it.runIf(offered.isRoot)(
    'a program still has its own user, processes, /tmp and /home, and its variables',
    async () => {
      const host = await detectIsolation({ folder: join(bench.home, 'run'), path: '/nowhere' });
      const stage = join(bench.home, 'bare-stage');
      mkdirSync(stage, { recursive: true });
      const lines: string[] = [];
      const request = bench.request(
        'id -u; ls /home /tmp; [ $(ls /proc | grep -c "^[0-9]*$") -lt 9 ] && echo few; echo "$ODD"',
        {
          env: { PATH: '/usr/bin:/bin', ODD: `$a'b"c` },
          onLine: (line) => void lines.push(line),
        },
      );
      const cgroup = planCgroup(host.cgroupFolders, `lilac-bare-${process.pid}`);
      await runSandboxed(request, { host, cgroup, stage, records: join(bench.home, 'bare') });
      expect(host.lacking[0]).toContain('bubblewrap does not work here');
      expect(lines).toEqual([String(request.uid), '/home:', 'work', '', '/tmp:', 'few', `$a'b"c`]);
    },
  );
});
