import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readIfThere } from '../../lib/read-if-there.ts';
import { canRunDocker } from '../../testing/docker/can-run-docker.ts';
import { eventually } from '../../testing/eventually.ts';
import { uidOf } from '../../sandbox/uids.ts';
import { StartRefused, type InstanceAddress, type InstanceExit, type InstanceSpec } from '../runtime.ts';
import { STACK_IMAGE } from '../stack-image.ts';
import type { DockerRuntime } from './create-docker-runtime.ts';
import { openDockerSubject, type DockerSubject } from './testing/docker-subject.ts';
import { startLocalEngine, type LocalEngine } from './testing/local-engine.ts';

const SERVER = `require('node:http').createServer((_, answer) => answer.end('hello')).listen(process.env.PORT, () => console.log('up'))`;
const END = 'the end of the script';
let count = 0;

/** What a connection from inside comes to: `connected`, or the code of the error. */
const calling = (host: string, port: number): string =>
  `node -e 'require("node:net").connect({ host: "${host}", port: ${port}, timeout: 1500 })
    .on("connect", () => { console.log("connected"); process.exit(); })
    .on("timeout", () => { console.log("ETIMEDOUT"); process.exit(); })
    .on("error", (error) => console.log(error.code))'`;

describe.runIf(canRunDocker())('containers of Docker', () => {
  let engine: LocalEngine;
  let subject: DockerSubject;
  let runtime: DockerRuntime;
  let packed: Pick<InstanceSpec, 'slug' | 'tools'>;
  const exits: InstanceExit[] = [];

  beforeAll(async () => {
    engine = await startLocalEngine();
    subject = await openDockerSubject(engine);
    packed = await subject.pack({ file: 'packed\n', 'server.js': SERVER });
    await reopen();
  }, 900_000);
  afterAll(async () => {
    for (const { id } of await runtime.list()) await runtime.stop(id, { graceMs: 0 });
    await runtime.close();
    await subject[Symbol.asyncDispose]();
    await engine[Symbol.asyncDispose]();
  });

  async function reopen(): Promise<void> {
    await runtime?.close();
    runtime = subject.create();
    await runtime.open();
    runtime.onExit((exit) => void exits.push(exit));
  }

  async function start(command: string, changes: Partial<InstanceSpec> = {}): Promise<InstanceSpec & InstanceAddress> {
    const spec: InstanceSpec = {
      id: `ins_d${process.pid}_${count++}`,
      organisationId: 'org_1',
      environmentId: 'env_1',
      deploymentId: 'dep_1',
      ...packed,
      command,
      workDirectory: '',
      env: {},
      port: 4321,
      memoryMb: 256,
      cpus: 1,
      ...changes,
    };
    return { ...spec, ...(await runtime.start(spec)) };
  }

  const says = (id: string, line: string) =>
    eventually(`it says ${line}`, async () => (await runtime.tail(id, 1000)).includes(line));

  async function linesOf(script: string, changes: Partial<InstanceSpec> = {}): Promise<string[]> {
    const { id } = await start(`exec 2>&1\n${script}\necho '${END}'; sleep 1000`, changes);
    await says(id, END);
    const lines = await runtime.tail(id, 1000);
    await runtime.stop(id, { graceMs: 0 });
    return lines.slice(0, -1);
  }

  it('are a user of their environment without any privilege, and see the image read-only', async () => {
    const attempts = [
      'grep -E "^(Uid|Cap|NoNewPrivs|Seccomp:)" /proc/self/status',
      'for place in /usr/x /etc/x /x /home/x /run/x /dev/x; do (echo > $place) 2>/dev/null && echo "wrote $place"; done',
      'unshare -U true 2>/dev/null && echo unshared',
      'fallocate -l 1m /run/lilac/stdout 2>/dev/null && echo reserved',
      'cat /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes 2>/dev/null',
    ];
    const lines = await linesOf(attempts.join('\n'));
    const status = Object.fromEntries(lines.map((line) => line.split(/:\s*/)));
    for (const name of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb']) expect(status[name]).toMatch(/^0+$/);
    expect(status).toMatchObject({ NoNewPrivs: '1', Seccomp: '2' });
    expect(status.Uid).toMatch(new RegExp(`^${uidOf('env_1')}\\b`));
    expect(lines.join('\n')).not.toMatch(/wrote|unshared|reserved/);
    expect(lines.at(-1)).toBe(String(256 * 1024 ** 2));
  });

  it('write into their tree as if it were theirs, bounded by their memory, and the next one finds it as it was', async () => {
    const change = 'echo changed > file; mkdir new; cat file; ls | tr "\\n" " "; echo';
    expect(await linesOf(change)).toEqual(['changed', 'file new server.js ']);
    const fill = 'cat file; head -c 200000000 /dev/zero 2>/dev/null > big || echo full';
    expect((await linesOf(fill)).filter((line) => !line.includes('No space left'))).toEqual(['packed', 'full']);
  });

  it('reach no container of another environment or of their own, no port of this machine, and no metadata', async () => {
    const other = await start('node server.js', { environmentId: 'env_2', organisationId: 'org_2' });
    const sibling = await start('node server.js');
    await Promise.all([says(other.id, 'up'), says(sibling.id, 'up')]);
    const server = createServer().listen(0, '0.0.0.0');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { hostAddress } = await runtime.network();
    const gateway = other.host.replace(/\d+$/, (last) => String(Math.floor(Number(last) / 16) * 16 + 1));
    const targets: [string, number][] = [
      [other.host, other.port],
      [sibling.host, sibling.port],
      [hostAddress, port],
      [gateway, port],
      ['169.254.169.254', 80],
    ];
    const lines = await linesOf(targets.map(([host, at]) => calling(host, at)).join('\n'));
    server.close();
    expect(lines).toHaveLength(targets.length);
    expect(lines).not.toContain('connected');
  });

  it('keep their variables out of every argv', async () => {
    const { id } = await start('echo up; sleep 1000', { env: { SECRET: 'hunter22-of-the-argv' } });
    await says(id, 'up');
    const { Path, Args } = await engine.docker.getContainer(`lilac-${id}`).inspect();
    expect([Path, ...Args].join(' ')).not.toContain('hunter22');
    const commands = readdirSync('/proc').flatMap((pid) =>
      /^\d+$/.test(pid) ? (readIfThere(`/proc/${pid}/cmdline`) ?? []) : [],
    );
    expect(commands.join('\n')).not.toContain('hunter22-of-the-argv');
  });

  it('whose engine ends and takes them along are told as ended, and others can be started when it is back', async () => {
    const { id } = await start('node server.js');
    await says(id, 'up');
    await engine.stop('SIGTERM');
    await expect(start('node server.js')).rejects.toThrow(StartRefused);
    await engine.start();
    await eventually('it is told', async () => exits.some(({ instanceId }) => instanceId === id));
    const again = await start('node server.js');
    await says(again.id, 'up');
    const stranger = { environmentId: 'env_3', organisationId: 'org_3' };
    expect(await linesOf(calling(again.host, again.port), stranger)).not.toContain('connected');
    await runtime.stop(id, { graceMs: 0 });
    expect(await subject.remains(id)).toEqual([]);
  });

  it('run on while their engine is away, where it was told so, and the next process of the platform has them', async () => {
    await engine.stop('SIGTERM');
    await engine.start(['--live-restore']);
    const { id, host, port } = await start('node server.js');
    await says(id, 'up');
    await engine.stop('SIGKILL');
    expect(await (await fetch(`http://${host}:${port}/`)).text()).toBe('hello');
    expect((await runtime.list()).find((each) => each.id === id)?.exit).toBeNull();
    await engine.start(['--live-restore']);
    await reopen();
    expect(await (await fetch(`http://${host}:${port}/`)).text()).toBe('hello');
    await runtime.stop(id, { graceMs: 5000 });
    expect(await subject.remains(id)).toEqual([]);
    expect(exits.map(({ instanceId }) => instanceId)).not.toContain(id);
  });

  it('are found by a platform that starts while the engine is away, and others can be started when it is back', async () => {
    await engine.stop('SIGTERM');
    await engine.start(['--live-restore']);
    const { id, host, port } = await start('node server.js');
    await says(id, 'up');
    await engine.stop('SIGKILL');
    await reopen();
    expect((await runtime.list()).find((each) => each.id === id)?.exit).toBeNull();
    expect(await (await fetch(`http://${host}:${port}/`)).text()).toBe('hello');
    expect((await runtime.isolation()).lacking.join(' ')).toContain('does not answer');
    await expect(start('node server.js')).rejects.toThrow(StartRefused);
    await engine.start(['--live-restore']);
    const other = await start('node server.js');
    await says(other.id, 'up');
    for (const each of [id, other.id]) await runtime.stop(each, { graceMs: 5000 });
    expect(await subject.remains(id)).toEqual([]);
  });

  it('cannot be started where the image is missing, and the refusal says what to do', async () => {
    await engine.docker.getImage(STACK_IMAGE).remove({ force: true });
    await expect(start('node server.js')).rejects.toThrow(/make-image\.mjs --load/);
    expect((await runtime.isolation()).lacking.join(' ')).toContain(STACK_IMAGE);
  });

  it('leave no network behind when the platform leaves the machine', async () => {
    for (const { id } of await runtime.list()) await runtime.stop(id, { graceMs: 0 });
    await runtime.removeNetworks();
    const networks = await engine.docker.listNetworks();
    expect(networks.map(({ Name }) => Name).filter((name) => name.startsWith('lilac-'))).toEqual([]);
  });
});
