import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BuildFailed } from '../../../build/builder.ts';
import { canRunDocker } from '../../../testing/docker/can-run-docker.ts';
import { eventually } from '../../../testing/eventually.ts';
import { silentLog } from '../../../lib/log.ts';
import { installationId } from '../../network/names.ts';
import { STACK_IMAGE } from '../../stack-image.ts';
import type { DockerRuntime } from '../create-docker-runtime.ts';
import { openDockerSubject, type DockerSubject } from '../testing/docker-subject.ts';
import { attemptImage, IMAGE_SERVER as SERVER, type Attempt, type Changes } from '../testing/image-bench.ts';
import { startImageRegistry, type ImageRegistry } from '../testing/image-registry.ts';
import { startLocalEngine, type LocalEngine } from '../testing/local-engine.ts';
import { findBuildObstacle } from './find-build-obstacle.ts';
import { watchWritten } from './watch-written.ts';

let count = 0;
/** More than a day. */
const LATER_MS = 25 * 3600_000;
/** The engine has the image. */
const UNUSED = '0'.repeat(64);

const onStack = (...lines: string[]) => [`FROM ${STACK_IMAGE}`, ...lines].join('\n');

describe.runIf(canRunDocker())('images of Dockerfiles', () => {
  let engine: LocalEngine;
  let subject: DockerSubject;
  let runtime: DockerRuntime;
  let registry: ImageRegistry;
  const work = mkdtempSync(join(tmpdir(), 'lilac-images-'));

  beforeAll(async () => {
    engine = await startLocalEngine();
    registry = await startImageRegistry();
    subject = await openDockerSubject(engine, { LILAC_IMAGE_REGISTRIES: registry.host });
    runtime = subject.create();
    await runtime.open();
  }, 900_000);
  afterAll(async () => {
    for (const { id } of await runtime.list()) await runtime.stop(id, { graceMs: 0 });
    await runtime.close();
    await subject[Symbol.asyncDispose]();
    await registry[Symbol.asyncDispose]();
    await engine[Symbol.asyncDispose]();
    rmSync(work, { recursive: true, force: true });
  });

  const attempt = (text: string, changes: Changes = {}): Attempt =>
    attemptImage(runtime.images, { work, text, changes });

  /** What goes into the object store, and is verified. */
  async function save(artifactId: string): Promise<string> {
    const packed = zstdCompressSync(await buffer(await runtime.images.save(artifactId, new AbortController().signal)));
    const hash = createHash('sha256').update(packed).digest('hex');
    await subject.objects.put(`blobs/${hash.slice(0, 2)}/${hash}`, packed);
    return hash;
  }

  async function start(artifactId: string, hash: string, command?: string) {
    const id = `ins_i${process.pid}_${count++}`;
    const address = await runtime.start({
      id,
      organisationId: 'org_1',
      environmentId: 'env_1',
      deploymentId: 'dep_1',
      slug: { artifactId, hash },
      image: { isCommandItsOwn: command === undefined },
      command: command ?? '',
      workDirectory: '',
      env: { GREETING: 'from a variable' },
      port: 8080,
      tools: {},
      memoryMb: 256,
      cpus: 1,
    });
    return { id, ...address };
  }

  const saysAll = (id: string, ...wanted: string[]) =>
    eventually(`it says ${wanted.join(', ')}`, async () => {
      const lines = await runtime.tail(id, 1000);
      return wanted.every((line) => lines.includes(line));
    });

  const containersOfBuilds = async () => {
    const found = await engine.docker.listContainers({ all: true });
    return found.filter(({ Labels }) => Labels['lilac.installation'] === undefined);
  };

  const allNames = async () => (await engine.docker.listImages()).flatMap(({ RepoTags }) => RepoTags ?? []);

  const artifacts = async () =>
    (await allNames()).filter((name) => name.startsWith('lilac.invalid/')).map((name) => name.split(':')[1]);

  it('are built as their Dockerfile says, and run as they say', async () => {
    const { artifactId, lines, done } = attempt(
      [
        'ARG NAME',
        `FROM ${STACK_IMAGE} AS build`,
        'ARG NAME',
        'RUN echo "of $NAME" > /built',
        `FROM ${STACK_IMAGE}`,
        'WORKDIR /srv/app',
        'COPY --from=build /built .',
        'COPY server.js .',
        'ENV OWN=own HOST=here',
        'EXPOSE 9000/tcp',
        'VOLUME /data',
        'ENTRYPOINT ["node"]',
        'CMD ["server.js"]',
      ].join('\n'),
      { variables: { NAME: 'a variable', SECRET: 'unasked' } },
    );
    const image = await done;
    expect(image).toMatchObject({ ports: [9000], command: ['node', 'server.js'], env: { OWN: 'own', HOST: 'here' } });
    expect(lines).toContain('Step 7 of 13: COPY --from=build /built .');
    expect(lines.join('\n')).not.toMatch(/built-by|Running in|--->/);
    const { id, host, port } = await start(artifactId, UNUSED);
    await saysAll(id, 'up');
    const told = JSON.parse(await (await fetch(`http://${host}:${port}/`)).text()) as Record<string, unknown>;
    expect(told).toMatchObject({
      built: 'of a variable\n',
      cwd: '/srv/app',
      uid: 0,
      env: { OWN: 'own', GREETING: 'from a variable', PORT: '8080' },
      wrote: ['/srv/app/new', '/etc/new', '/data/new', '/tmp/new'],
    });
    expect(told.status).toMatch(/^NoNewPrivs:\s+1$/m);
    expect(JSON.stringify(told.env)).not.toContain('unasked');
    await runtime.stop(id, { graceMs: 5000 });
    expect(await subject.remains(id)).toEqual([]);
    // A command that was set takes the place of both.
    const other = await start(artifactId, UNUSED, 'echo "instead, in $(pwd)"; sleep 1000');
    await saysAll(other.id, 'instead, in /srv/app');
    await runtime.stop(other.id, { graceMs: 0 });
  });

  it('that have nothing but a program run it, as the user they name, and come from the objects where the engine lost them', async () => {
    const { artifactId, done } = attempt('FROM scratch\nCOPY init /init\nUSER 1001:0\nCMD ["/init", "--version"]');
    await done;
    const hash = await save(artifactId);
    await runtime.images.forget([artifactId]);
    expect((await allNames()).join()).not.toContain(artifactId);
    const { id } = await start(artifactId, hash);
    await eventually('it is heard', async () =>
      (await runtime.tail(id, 10)).some((line) => line.includes('tini version')),
    );
    await eventually(
      'it has ended',
      async () => (await runtime.list()).find((each) => each.id === id)?.exit?.exitCode === 0,
    );
    await runtime.stop(id, { graceMs: 0 });
  });

  it('that are not what was built are not given to the engine', async () => {
    const wrong = createHash('sha256').update('another').digest('hex');
    await subject.objects.put(`blobs/${wrong.slice(0, 2)}/${wrong}`, Buffer.from('something else'));
    await expect(start('art_wrong', wrong)).rejects.toThrow(/not what was built/);
    await expect(start('art_gone', '0'.repeat(64))).rejects.toThrow(/Deploy it again/);
  });

  it('are never built on what merely lies in the engine, nor on what a private address has', async () => {
    const { artifactId, done } = attempt('FROM scratch\nCOPY init /init\nCMD ["/init"]');
    await done;
    const [found] = await engine.docker.listImages({ filters: { reference: ['lilac.invalid/*'] } });
    const { Id, RepoTags = [] } = found!;
    await engine.docker.getImage(Id).tag({ repo: 'operators/own', tag: 'secret' });
    expect(RepoTags.join()).toContain('lilac.invalid/');
    for (const name of [
      ...RepoTags,
      Id,
      Id.slice(7, 19),
      'operators/own:secret',
      '127.0.0.1:5000/a',
      '169.254.169.254/a',
    ]) {
      await expect(attempt(`FROM ${name}`).done).rejects.toThrow(/may not be built on here|cannot be fetched|no name/);
      const copying = `FROM scratch\nCOPY --from=${name} / /\n`;
      // An id that is of digits only is the number of a stage.
      await expect(attempt(copying).done).rejects.toThrow(
        /may not be built on here|cannot be fetched|no name|no stage/,
      );
    }
    await engine.docker.getImage('operators/own:secret').remove();
    await runtime.images.forget([artifactId]);
  });

  it('reach no port of this machine, no instance and no metadata while they are built', async () => {
    const server = createServer().listen(0, '0.0.0.0');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { hostAddress } = await runtime.network();
    const packed = await subject.pack({ 'server.js': SERVER });
    const neighbour = await runtime.start({
      ...packed,
      id: `ins_n${process.pid}`,
      organisationId: 'org_2',
      environmentId: 'env_2',
      deploymentId: 'dep_2',
      command: 'node server.js',
      workDirectory: '',
      env: {},
      port: 4321,
      memoryMb: 256,
      cpus: 1,
    });
    await saysAll(`ins_n${process.pid}`, 'up');
    const targets = [
      [hostAddress, port],
      ['169.254.169.254', 80],
      [neighbour.host, neighbour.port],
    ].map(String);
    const calls = `for (const [host, port] of ${JSON.stringify(targets.map((each) => each.split(',')))})
      require('net').connect({ host, port, timeout: 1500 }).on('connect', () => { console.log('connected ' + host); process.exit(); })
        .on('timeout', function () { this.destroy(); console.log('silent'); }).on('error', ({ code }) => console.log(code))`;
    const { lines, done } = attempt(
      onStack(`RUN ["node", "-e", ${JSON.stringify(calls)}]`, 'RUN ls /run /var/run; ls -a /'),
    );
    await done;
    server.close();
    expect(lines.filter((line) => /^(silent|E[A-Z]+)$/.test(line))).toHaveLength(targets.length);
    expect(lines.filter((line) => /^connected|docker\.sock/.test(line))).toEqual([]);
    await runtime.stop(`ins_n${process.pid}`, { graceMs: 0 });
  });

  it('that fail say why, and leave neither a container nor an image', async () => {
    const { artifactId, lines, done } = attempt(onStack('RUN echo words; echo more >&2; exit 3'));
    await expect(done).rejects.toThrow(/returned a non-zero code: 3/);
    expect(lines).toEqual(expect.arrayContaining(['words', 'more']));
    await expect(attempt(onStack('COPY absent /x')).done).rejects.toThrow(/could not be built: .*absent/);
    await expect(
      attempt(onStack('RUN node -e "const all = []; for (;;) all.push(Buffer.alloc(1e7, 1))"')).done,
    ).rejects.toThrow(/limit 256 MiB/);
    expect(await containersOfBuilds()).toEqual([]);
    expect((await allNames()).join()).not.toContain(artifactId);
  });

  it('whose build never ends, or makes processes without end, are ended when it is cancelled, and nothing is left', async () => {
    const bomb = 'bomb() { bomb | bomb & }; bomb; sleep 1000';
    const cancel = new AbortController();
    const { lines, done } = attempt(onStack(`RUN echo begun; ${bomb}`), { signal: cancel.signal });
    done.catch(() => {});
    await eventually('it has begun', async () => lines.includes('begun'));
    await eventually('no more than so many processes are there', async () => {
      const [container] = await containersOfBuilds();
      const { HostConfig } = await engine.docker.getContainer(container!.Id).inspect();
      return HostConfig.PidsLimit === 4096;
    });
    cancel.abort();
    await expect(done).rejects.toThrow(/abort/i);
    expect(await containersOfBuilds()).toEqual([]);
  });

  it('that write without end are ended, while they are built and while they run, and it is said why', async () => {
    const writing = attempt(onStack('RUN cat /dev/zero > /big'), { limits: { maxBytes: 30e6 } });
    const tooMuch = /wrote more than .* files and was stopped/;
    await expect(writing.done).rejects.toThrow(tooMuch);
    const inVolume = onStack('VOLUME /data', 'RUN cat /dev/zero > /data/big');
    await expect(attempt(inVolume, { limits: { maxBytes: 30e6 } }).done).rejects.toThrow(tooMuch);
    const inStages = `${onStack('RUN head -c 20000000 /dev/zero > /a')}\n${onStack('RUN truncate --size 20000000 /b', 'RUN sleep 1000')}`;
    await expect(attempt(inStages, { limits: { maxBytes: 30e6 } }).done).rejects.toThrow(tooMuch);
    expect(await containersOfBuilds()).toEqual([]);
    const running = attempt(onStack('CMD head -c 5000000 /dev/zero > /big; sleep 1000'));
    await running.done;
    const { id } = await start(running.artifactId, UNUSED);
    const { home } = subject;
    const outputs = join(home, 'outputs');
    const watched = { engine: engine.docker, installation: installationId(home), outputs, log: silentLog };
    const watch = watchWritten({ ...watched, everyMs: 200, maxBytes: 2 * 1024 ** 2 });
    const said = 'The platform ended this instance: it has written more than 2 MiB into its own files.';
    await saysAll(id, said);
    await eventually('it has ended', async () => !!(await runtime.list()).find((each) => each.id === id)?.exit);
    watch.close();
    await runtime.stop(id, { graceMs: 0 });
  });

  it('go with their artifacts, and those that nobody knows any more are swept', async () => {
    const [kept, gone] = [
      attempt('FROM scratch\nCOPY init /a\nCMD ["/a"]'),
      attempt('FROM scratch\nCOPY init /b\nCMD ["/b"]'),
    ];
    await Promise.all([kept.done, gone.done]);
    const sweepAt = (now: number) =>
      runtime.images.sweep(async (ids) => ids.filter((id) => id !== kept.artifactId), now);
    await sweepAt(Date.now());
    // It may be about to be packed: nobody knows its artifact yet.
    expect(await artifacts()).toEqual(expect.arrayContaining([kept.artifactId, gone.artifactId]));
    await sweepAt(Date.now() + LATER_MS);
    expect(await artifacts()).toEqual([kept.artifactId]);
  });

  it('are built on what a registry has, which goes when nobody builds on it any more, but for the operator’s own', async () => {
    const [base, own] = [registry.offer('base'), registry.offer('own')];
    await once((await engine.docker.pull(own)).resume(), 'end');
    const { artifactId, done } = attempt(
      `FROM ${base} AS a\nFROM ${own}\nCOPY --from=${base} /file /copy\nCOPY init /\nCMD ["/init"]`,
    );
    expect((await done).command).toEqual(['/init']);
    expect(await allNames()).toEqual(expect.arrayContaining([base, own]));
    await runtime.images.sweep(async () => [], Date.now() + LATER_MS);
    const left = await allNames();
    expect(left).toContain(own);
    expect(left.filter((name) => name === base || name.includes('/base:'))).toEqual([]);
    expect(left.join()).toContain(artifactId);
    await runtime.images.forget([artifactId]);
  });

  it('are not built on what would have the engine do more, or bears labels of ours', async () => {
    const triggering = registry.offer('triggering', { OnBuild: ['ADD http://169.254.169.254/ /'] });
    await expect(attempt(`FROM ${triggering}`).done).rejects.toThrow(/ONBUILD ADD http.* not allowed/);
    const labelled = registry.offer('labelled', { Labels: { 'lilac.instance': '../../x' } });
    await expect(attempt(`FROM ${labelled}`).done).rejects.toThrow(/labels of the platform/);
    await expect(attempt(onStack('VOLUME data', 'CMD ["x"]')).done).rejects.toThrow(/VOLUME data: .* whole path/);
  });

  it('are not built on the disk of the platform itself, unless the operator allows it', async () => {
    const place = { engine: engine.docker, home: subject.home };
    expect(await findBuildObstacle({ ...place, dockerfiles: 'on' })).toMatch(/LILAC_DOCKERFILES=on-shared-disk/);
    expect(await findBuildObstacle({ ...place, dockerfiles: 'on', home: '/proc' })).toBeNull();
    expect(await findBuildObstacle({ ...place, dockerfiles: 'on-shared-disk' })).toBeNull();
  });

  it('whose engine is killed leave no container once it is back', async () => {
    const { lines, done } = attempt(onStack('RUN echo begun; sleep 1000'));
    done.catch(() => {});
    await eventually('it has begun', async () => lines.includes('begun'));
    await engine.stop('SIGKILL');
    // The project is not at fault.
    expect(await done.catch((error: unknown) => error)).not.toBeInstanceOf(BuildFailed);
    await engine.start();
    await eventually('nothing of it is left', async () => (await containersOfBuilds()).length === 0);
  });
});
