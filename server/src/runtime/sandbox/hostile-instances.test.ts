import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readIfThere } from '../../lib/read-if-there.ts';
import { eventually } from '../../testing/eventually.ts';
import { uidOf } from '../../sandbox/uids.ts';
import { describeLacking, detectHost } from './detect-host.ts';
import { readStatus } from '../held/instance-exit.ts';
import { openInstanceBench, type InstanceBench } from './testing/instance-bench.ts';

let bench: InstanceBench;
beforeAll(async () => {
  bench = await openInstanceBench();
});
afterAll(() => bench[Symbol.asyncDispose]());

const isRoot = process.getuid?.() === 0;
/** Where version 1 of the control groups holds it; an instance sees its own at the same place. */
const TCP_LIMIT = '/sys/fs/cgroup/memory/memory.kmem.tcp.limit_in_bytes';

describe('an instance cannot reach', () => {
  it('the platform’s home, its sockets, its keys, its store', async () => {
    const { home } = bench.subject;
    mkdirSync(join(home, 'secrets'), { recursive: true });
    mkdirSync(join(home, 'run'), { recursive: true });
    writeFileSync(join(home, 'secrets', 'keyring.json'), 'the keys', { mode: 0o644 });
    const server = createServer().listen(join(home, 'run', 'api.sock'));
    await once(server, 'listening');
    const connect = `require("node:net").connect("${home}/run/api.sock").on("error", (e) => console.log(e.code)).on("connect", () => console.log("connected"))`;
    const lines = await bench.linesOf(
      `cat ${home}/secrets/keyring.json; ls ${home} /root /var /srv; node -e '${connect}'`,
    );
    server.close();
    expect(lines.at(-1)).toBe('ENOENT');
    expect(lines.filter((line) => !/No such file/.test(line))).toEqual(['ENOENT']);
  });

  it('the files, output and memory of another one, not even of its own environment', async () => {
    const other = await bench.start(
      'echo hidden > /tmp/hidden; echo hidden > $HOME/hidden; echo hidden > /home/app/hidden; echo up; sleep 1000',
    );
    await bench.says(other, 'up');
    const seen = await bench.linesOf('ls -R /home /tmp; ls /proc | grep "^[0-9]" | wc -l');
    expect(seen.join('\n')).not.toMatch(/hidden|output|record/);
    expect(Number(seen.at(-1))).toBeLessThan(10);
  });

  it('the control groups, to change them', async () => {
    const lines = await bench.linesOf(
      'for f in $(find /sys -name "cgroup.procs" -o -name "*limit*" -o -name "*.max" 2>/dev/null); do (echo 1 > $f) 2>/dev/null && echo "wrote $f"; done; mkdir /sys/fs/cgroup/x 2>/dev/null && echo made; echo done',
    );
    expect(lines).toEqual(['done']);
  });

  it('what was open in the process that started it', async () => {
    const lines = await bench.linesOf('ls /proc/self/fd | tr "\\n" " "; echo; readlink /proc/self/fd/3 || echo none');
    expect(lines.at(-1)).toBe('none');
  });

  it('variables of the platform, not even where the first process shows its own', async () => {
    const lines = await bench.linesOf('tr "\\0" "\\n" < /proc/1/environ');
    expect(
      lines.map((line) => line.split('=')[0]).filter((name) => !/^(PATH|OLDPWD|PWD|SHLVL|_)$/.test(name!)),
    ).toEqual([]);
    expect(lines.join('\n')).toContain('PATH=/usr/local/sbin');
  });

  it('the system, to write it', async () => {
    const attempts = [
      'touch /usr/x',
      'touch /etc/x',
      'touch /x',
      'touch /home/x',
      'touch /dev/x',
      'mount -t tmpfs t /tmp',
      'unshare -U true',
    ];
    const lines = await bench.linesOf(attempts.map((each) => `(${each}) 2>/dev/null && echo "${each}"`).join('\n'));
    expect(lines).toEqual([]);
  });

  it('anything by an argv: values of variables are in none of this machine', async () => {
    const id = await bench.start('echo up; sleep 1000', { env: { SECRET: 'hunter22-of-the-argv' } });
    await bench.says(id, 'up');
    const commands = readdirSync('/proc').flatMap((pid) =>
      /^\d+$/.test(pid) ? (readIfThere(`/proc/${pid}/cmdline`) ?? []) : [],
    );
    expect(commands.join('\n')).not.toContain('hunter22-of-the-argv');
    expect(readdirSync(join(bench.subject.home, 'instances', id))).not.toContain('handed-over');
  });
});

describe('what an instance is', () => {
  it('a user of its environment, without capabilities, and none to be gained', async () => {
    const id = await bench.start('grep -E "^(Cap|NoNewPrivs|Seccomp:)" /proc/self/status; echo up; sleep 1000');
    await bench.says(id, 'up');
    const status = Object.fromEntries((await bench.runtime.tail(id, 20)).map((line) => line.split(/:\s*/)));
    for (const name of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb']) expect(status[name]).toMatch(/^0+$/);
    expect(status).toMatchObject({ NoNewPrivs: '1', Seccomp: '2' });
    const { firstPid } = readStatus(join(bench.subject.home, 'instances', id));
    const uid = Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${firstPid}/status`, 'utf8'))?.[1]);
    expect(uid).toBe(isRoot ? uidOf('env_1') : process.getuid?.());
  });

  it('may write into its tree, which stays as it was for the next', async () => {
    const change = 'echo changed > file; mkdir new; rm -rf sub; cat file; ls';
    expect(await bench.linesOf(change)).toEqual(['changed', 'file', 'new']);
    expect(await bench.linesOf('cat file; ls')).toEqual(['packed', 'file']);
  });

  it('knows how much it may use: Node and others look for it in the control groups', async () => {
    expect(await bench.linesOf(`node -p 'process.constrainedMemory() / 1024 ** 2'`, { memoryMb: 200 })).toEqual([
      '200',
    ]);
  });

  it.runIf(existsSync(TCP_LIMIT))('may keep a quarter of its memory waiting in connections', async () => {
    expect(await bench.linesOf(`cat ${TCP_LIMIT}`, { memoryMb: 200 })).toEqual([String(50 * 1024 ** 2)]);
  });

  it('goes before the platform when the whole machine runs out of memory', async () => {
    const [score] = await bench.linesOf(
      'cat /proc/self/oom_score_adj; (echo 0 > /proc/self/oom_score_adj) 2>/dev/null',
    );
    expect(Number(score)).toBeGreaterThan(Number(readFileSync('/proc/self/oom_score_adj', 'utf8')));
  });

  it('finds certificates, names and the time zone in /etc, and no secrets', async () => {
    const [hosts, count] = await bench.linesOf(
      'cmp /etc/hosts /etc/hosts && echo same; ls /etc/ssl/certs | wc -l; cat /etc/shadow',
    );
    expect(hosts).toBe('same');
    expect(Number(count)).toBe(readdirSync('/etc/ssl/certs').length);
    expect(await bench.linesOf('cat /etc/shadow /etc/passwd; ls /etc/ssl/private')).toEqual([
      expect.stringContaining('No such file'),
      expect.stringContaining('No such file'),
      expect.stringContaining('cannot access'),
    ]);
  });

  it('may use shared memory', async () => {
    expect(await bench.linesOf('echo shared > /dev/shm/x; cat /dev/shm/x; echo 1 > /dev/null; ls -d /dev/pts')).toEqual(
      ['shared', '/dev/pts'],
    );
  });

  it('may write a file of half its memory, however large that is', async () => {
    const big = { memoryMb: 1400 };
    expect(await bench.linesOf('head -c 600000000 /dev/zero > /tmp/big; stat -c %s /tmp/big', big)).toEqual([
      '600000000',
    ]);
  });

  it('may open its output anew by its names', async () => {
    expect(await bench.linesOf('echo 1 >> /dev/stdout; echo 2 >> /proc/self/fd/1; echo 3 >> /dev/stderr')).toEqual([
      '1',
      '2',
      '3',
    ]);
  });
});

describe('the output of an instance', () => {
  it('can be opened to be written anew, as shells do', async () => {
    expect(await bench.linesOf('echo gone; echo x > /dev/stdout')).toEqual(['x']);
  });

  it('takes no lease, for which whoever reads it would wait', async () => {
    const lines = await bench.linesOf(`perl -e 'fcntl(STDOUT, 1024, 1) or print "refused\\n"'`);
    expect(lines).toEqual(['refused']);
  });

  it('takes no room on the disk but for what is written', async () => {
    const id = await bench.start(
      'fallocate -n -l 64M /proc/1/fd/1 || echo refused >&2; fallocate -l 64M /proc/self/fd/1; echo up; sleep 1000',
    );
    await bench.says(id, 'up');
    expect(await bench.runtime.tail(id, 10)).toContain('refused');
    const { size, blocks } = statSync(join(bench.subject.home, 'outputs', id, 'stdout'));
    expect(size).toBe('up\n'.length);
    expect(blocks * 512).toBeLessThan(1024 ** 2);
  });
});

describe('an instance that wants too much', () => {
  it('of the processes: a fork bomb stays in its bounds, and others start and run', async () => {
    const id = await bench.start('echo up; bomb() { bomb | bomb & sleep 1000; }; bomb; sleep 1000', { memoryMb: 512 });
    await bench.says(id, 'up');
    await eventually('it has gone off', async () =>
      (await bench.runtime.tail(id, 50)).some((line) => /fork/i.test(line)),
    );
    await othersStart();
    await bench.runtime.stop(id, { graceMs: 0 });
    expect(await bench.subject.remains(id)).toEqual([]);
  });

  it('of the disk: it is told that there is no room, or ended, and the disk has not changed', async () => {
    const fill = 'for d in /tmp $HOME . /dev/shm; do dd if=/dev/zero of=$d/big bs=1M count=400; done';
    const lines = await bench.linesOf(
      `${fill}; rm -f /tmp/big $HOME/big big /dev/shm/big; echo room > /tmp/small && cat /tmp/small`,
    );
    expect(lines.filter((line) => line.includes('No space left on device'))).toHaveLength(4);
    expect(lines).toContain('room');
    await othersStart();
  });

  it('of the disk, by its output: what is kept stays small', async () => {
    const id = await bench.start('yes "$(seq -s " " 1 200)" | head -c 200000000; echo; echo written; sleep 1000');
    await bench.says(id, 'written');
    const folder = join(bench.subject.home, 'outputs', id);
    const used = () => readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).blocks * 512, 0);
    await eventually('what is too much is given back', () => used() < 65 * 1024 ** 2);
    expect((await bench.runtime.tail(id, 3)).at(-1)).toBe('written');
    const { position, lostBytes, stdout } = await bench.runtime.readOutput(id, { stdout: 0, stderr: 0 }, 1024);
    expect(lostBytes).toBeGreaterThan(100_000_000);
    expect(position.stdout).toBe(lostBytes + stdout.length);
    expect(stdout.includes(0)).toBe(false);
  });

  it('of the disk, by its output, where it empties it itself: it goes on, and so do its readers', async () => {
    const id = await bench.start(
      `yes | head -c 20000000; echo up >&2; until [ -e /tmp/go ]; do sleep 0.01; done; echo anew > /dev/stdout; echo end; sleep 1000`,
    );
    const written = { stdout: 20_000_000, stderr: 3 };
    await bench.says(id, 'up');
    await bench.runtime.releaseOutput(id, written);
    writeFileSync(`/proc/${readStatus(join(bench.subject.home, 'instances', id)).firstPid}/root/tmp/go`, '');
    await bench.says(id, 'end');
    const part = await bench.runtime.readOutput(id, written, 100);
    expect(part.stdout.toString()).toBe('anew\nend\n');
    expect(part).toMatchObject({ lostBytes: 0, position: { stdout: written.stdout + 9, stderr: 3 } });
  });
});

describe('isolation', () => {
  it('tells loudly what is lacking without bubblewrap', async () => {
    const host = await detectHost({ folder: join(bench.subject.home, 'instances'), path: '/nowhere' });
    expect(host.bubblewrap).toBeNull();
    expect(host.lacking.join(' ')).toMatch(/bubblewrap does not work here/);
  });

  it('tells what root goes without where there is no bubblewrap', () => {
    const host = { bubblewrap: null, isRoot: true, canFilterCalls: false, canLayer: true };
    expect(describeLacking(host)).toEqual([expect.stringMatching(/no view of files of their own, and no filter/)]);
    expect(describeLacking({ ...host, bubblewrap: '/usr/bin/bwrap', canFilterCalls: true })).toEqual([]);
  });

  it('tells what the network lacks', async () => {
    const { name, lacking } = await bench.runtime.isolation();
    expect(name).toBe('sandbox');
    expect(lacking).toContain('These tests share one network.');
  });
});

async function othersStart(): Promise<void> {
  expect(await bench.linesOf('echo still starting')).toEqual(['still starting']);
}
