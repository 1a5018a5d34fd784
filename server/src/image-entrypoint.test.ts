import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { start } from './lib/exec.ts';
import { eventually } from './testing/eventually.ts';

/** The script is run as it is, with stand-ins for whatever would reach beyond its container, and for Lilac. */
const root = join(import.meta.dirname, '../..');
const entrypoint = join(root, 'deploy/image/entrypoint.sh');
/** What databases may be waited for, and the platform before them, before Docker ends everything. */
const PLATFORM_SECONDS = 10;
const ENOUGH_FOR_DATABASES_SECONDS = 30;

const NOTE = 'note() { echo "$*" >> "$BENCH/notes"; }';
const STAND_INS = {
  lilac: `printf '%s\\n' "$@" > "$BENCH/words"
    trap 'note lilac is asked: TERM' TERM
    note lilac begins
    while test -e "$BENCH/words" && test ! -e "$BENCH/may-end"; do /bin/sleep 0.05; done
    note lilac ends
    exit "$ENDS_WITH"`,
  // As in a container that may not.
  mount: `note "mount $*"
    echo 'mount: permission denied.' >&2
    exit 32`,
  // As of databases that take their time, or more than that.
  pkill: `note "$3 is asked: $1"
    test "$2" = -x && test ! -e "$BENCH/stubborn" || exit 0
    { /bin/sleep 0.3; note "$3 ends"; rm -f "$BENCH/runs-$3"; } > /dev/null 2>&1 &`,
  pgrep: 'test "$1" = -x && test -e "$BENCH/runs-$2"',
};

function openBench() {
  const bench = mkdtempSync(join(tmpdir(), 'lilac-entrypoint-'));
  onTestFinished(() => rmSync(bench, { recursive: true }));
  const programs = join(bench, 'programs');
  mkdirSync(programs);
  const standIn = (name: string, script: string) => {
    writeFileSync(join(programs, name), `#!/bin/sh\n${NOTE}\n${script}\n`);
    chmodSync(join(programs, name), 0o755);
  };
  for (const [name, script] of Object.entries(STAND_INS)) standIn(name, script);
  const notes = () => readFileSync(join(bench, 'notes'), 'utf8').trim().split('\n');
  const path = [programs, dirname(process.execPath), '/usr/bin', '/bin'].join(':');
  return {
    programs,
    standIn,
    words: () => readFileSync(join(bench, 'words'), 'utf8'),
    put: (name: string) => writeFileSync(join(bench, name), ''),
    mounts: () => notes().filter((note) => note.startsWith('mount ')),
    told: () => notes().filter((note) => !note.startsWith('mount ')),
    hasBegun: () => existsSync(join(bench, 'words')) && notes().includes('lilac begins'),
    begin({ words = [], endsWith = 0 }: { words?: string[]; endsWith?: number } = {}) {
      const env = { PATH: path, BENCH: bench, ENDS_WITH: String(endsWith) };
      const script = start([entrypoint, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] });
      const ended = Promise.all([once(script, 'close'), text(script.stdout!), text(script.stderr!)]).then(
        ([[exitCode], stdout, stderr]) => ({ exitCode: exitCode as number | null, stdout, stderr }),
      );
      return { ended, signal: (name: NodeJS.Signals) => script.kill(name) };
    },
  };
}

const DATABASES_END = ['postgres is asked: -INT', 'mariadbd is asked: -TERM'];

describe.runIf(process.platform === 'linux')('the first program of the image', () => {
  it('gives Lilac its words as they are, and ends as Lilac ends', async () => {
    const bench = openBench();
    bench.put('may-end');
    const words = ['server', '--roles', 'api,edge', 'two words', '', '*', '$HOME'];
    expect(await bench.begin({ words, endsWith: 7 }).ended).toEqual({ exitCode: 7, stdout: '', stderr: '' });
    expect(bench.words()).toBe(`${words.join('\n')}\n`);
    expect(bench.told()).toEqual(['lilac begins', 'lilac ends', ...DATABASES_END]);
  });

  it('lets control groups be written, and begins in silence where it may not', async () => {
    const bench = openBench();
    bench.put('may-end');
    expect(await bench.begin().ended).toMatchObject({ exitCode: 0, stderr: '' });
    const mounted = readFileSync('/proc/self/mountinfo', 'utf8').trimEnd().split('\n');
    const groups = mounted.filter((line) => /^cgroup2? /.test(line.split(' - ')[1]!)).map((line) => line.split(' ')[4]);
    expect(bench.mounts()).toEqual(groups.map((group) => `mount -o remount,bind,rw ${group}`));
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    '%s, however often, asks Lilac to end, and databases only when it has; all are waited for',
    async (signal) => {
      const bench = openBench();
      for (const name of ['postgres', 'mariadbd']) bench.put(`runs-${name}`);
      const script = bench.begin({ endsWith: 3 });
      await eventually('Lilac runs', bench.hasBegun);
      const asked = ['lilac begins'];
      for (let times = 0; times < 2; times++) {
        script.signal(signal);
        asked.push('lilac is asked: TERM');
        await eventually('Lilac is asked', () => bench.told().length === asked.length);
      }
      expect(bench.told()).toEqual(asked);
      bench.put('may-end');
      expect(await script.ended).toMatchObject({ exitCode: 3, stderr: '' });
      expect(bench.told().slice(0, 6)).toEqual([...asked, 'lilac ends', ...DATABASES_END]);
      expect(bench.told().slice(6).toSorted()).toEqual(['mariadbd ends', 'postgres ends']);
    },
  );

  it('waits for databases that do not end no longer than the stack file gives', async () => {
    const bench = openBench();
    for (const name of ['may-end', 'stubborn', 'runs-mariadbd']) bench.put(name);
    bench.standIn('sleep', 'note "sleep $1"');
    expect(await bench.begin({ endsWith: 5 }).ended).toMatchObject({ exitCode: 5 });
    const waits = bench.told().filter((note) => note.startsWith('sleep '));
    const seconds = waits.reduce((sum, wait) => sum + Number(wait.split(' ')[1]), 0);
    const stack = parse(readFileSync(join(root, 'deploy/swarm/lilac.yml'), 'utf8'), { merge: true, version: '1.1' });
    const given = Object.values<{ stop_grace_period: string }>(stack.services).map((each) => each.stop_grace_period);
    for (const each of given) expect(PLATFORM_SECONDS + seconds).toBeLessThan(Number(/^(\d+)s$/.exec(each)![1]));
    expect(seconds).toBeGreaterThanOrEqual(ENOUGH_FOR_DATABASES_SECONDS);
  });

  it('finds Lilac where the image has it: by a link to its launcher', async () => {
    const bench = openBench();
    const launcher = /ln -s \/opt\/lilac\/(\S+) \/usr\/local\/bin\/lilac\n/.exec(
      readFileSync(join(root, 'deploy/image/Dockerfile'), 'utf8'),
    )![1]!;
    rmSync(join(bench.programs, 'lilac'));
    symlinkSync(join(root, launcher), join(bench.programs, 'lilac'));
    const { version } = JSON.parse(readFileSync(join(root, 'cli/package.json'), 'utf8')) as { version: string };
    const said = await bench.begin({ words: ['--version'] }).ended;
    expect(said).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: '' });
  });
});
