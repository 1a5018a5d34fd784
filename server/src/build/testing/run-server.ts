import { createWriteStream, mkdirSync, mkdtempSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import type { SlugManifest } from '../../artifacts/slug-manifest.ts';
import { blobKey, manifestKey } from '../../artifacts/static-manifest.ts';
import { run } from '../../lib/exec.ts';
import { createSandbox } from '../../sandbox/create-sandbox.ts';
import type { SandboxOutcome } from '../../sandbox/sandbox.ts';
import { uidOf } from '../../sandbox/uids.ts';
import { silentLog } from '../../lib/log.ts';
import { SYSTEM_PATH } from '../build-environment.ts';
import type { BuiltArtifact } from '../builder.ts';
import { inner } from '../inner-paths.ts';
import { createRunTools } from '../toolchain/run-tools.ts';
import { chownTree } from '../workspace.ts';
import type { BuilderBench } from './builder-bench.ts';

/**
 * One instance of what was built, as a runtime would start it: `await using server = await runServer(bench, artifact)`.
 */
export interface RunningServer extends AsyncDisposable {
  port: number;
  folder: string;
  lines: string[];
  /** Answers once it listens; rejects with what it wrote when it ends or is overdue. */
  get(path?: string, port?: number): Promise<Response>;
}

let count = 0;

export async function runServer(bench: BuilderBench, artifact: BuiltArtifact): Promise<RunningServer> {
  const spec = artifact.run;
  if (!spec) throw new Error('nothing runs of it');
  const folder = await unpackSlug(bench, artifact.artifactId);
  const tools = await createRunTools({ config: bench.config, log: silentLog, areInImage: false })(spec.tools);
  const sandbox = createSandbox({ config: bench.config, log: silentLog });
  const port = await freePort();
  const ending = new AbortController();
  const lines: string[] = [];
  let outcome: SandboxOutcome | null = null;
  const uid = uidOf('org_run');
  await chownTree([folder], uid);
  const running = sandbox
    .run({
      name: `run-${process.pid}-${count++}`,
      argv: ['/bin/sh', '-c', spec.startCommand],
      cwd: join(inner.source, spec.workDirectory),
      env: {
        ...tools.env,
        NODE_ENV: 'production',
        HOST: '0.0.0.0',
        ...spec.variables,
        PORT: String(port),
        HOME: '/tmp',
        PATH: [...tools.searchPath, ...SYSTEM_PATH].join(':'),
      },
      mounts: [{ kind: 'folder', from: folder, at: inner.source, isWritable: true }, ...tools.mounts],
      uid,
      limits: { memoryMb: 1024, cpus: 2, pids: 512, timeoutMs: 600_000 },
      signal: ending.signal,
      onLine: (line) => void lines.push(line),
    })
    .then((end) => void (outcome = end));
  const tell = () => `${JSON.stringify(outcome)}\n${spec.startCommand}\n${lines.slice(-40).join('\n')}`;
  return {
    port,
    folder,
    lines,
    async get(path = '/', at = port) {
      const deadline = Date.now() + 60_000;
      for (;;) {
        const answer = await fetch(`http://127.0.0.1:${at}${path}`).catch(() => null);
        if (answer) return answer;
        if (outcome || Date.now() > deadline) throw new Error(`no answer: ${tell()}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    async [Symbol.asyncDispose]() {
      ending.abort();
      await running;
    },
  };
}

/** The tree of a slug, as whoever runs it finds it. */
export async function unpackSlug({ home, objects }: BuilderBench, artifactId: string): Promise<string> {
  const { hash } = (await json(objects.read(manifestKey(artifactId)))) as SlugManifest;
  const place = mkdtempSync(join(home, 'slug-'));
  const archive = join(place, 'slug.tar');
  const folder = join(place, 'tree');
  await pipeline(objects.read(blobKey(hash)), createZstdDecompress(), createWriteStream(archive));
  mkdirSync(folder);
  const { exitCode, stderr } = await run(['tar', '-xf', archive, '-C', folder], { env: { PATH: '/usr/bin:/bin' } });
  if (exitCode !== 0) throw new Error(stderr);
  return folder;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
