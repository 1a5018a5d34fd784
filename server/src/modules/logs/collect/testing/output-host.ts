import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../../../../lib/log.ts';
import type { Runtime } from '../../../../runtime/runtime.ts';
import { InstanceOutputs } from '../../../../runtime/output/instance-outputs.ts';

type OutputRuntime = Pick<Runtime, 'outputs' | 'readOutput' | 'releaseOutput' | 'forgetOutput'>;

/** A host whose instances are files that tests write to: the real files and their reader, without the instances. */
export interface OutputHost extends Disposable {
  root: string;
  runtime: OutputRuntime;
  /** As if an instance had been started; gives the folder with its output. */
  begin(instanceId: string, environmentId: string): string;
  write(instanceId: string, stream: 'stdout' | 'stderr', text: string | Buffer): void;
  /** It has ended, and was stopped. */
  stop(instanceId: string): void;
  trim(): void;
}

/** What was stopped is noted in the folder, so that every process knows it. */
const STOPPED = 'stopped';

export function openOutputHost(given?: string): OutputHost {
  const root = given ?? mkdtempSync(join(tmpdir(), 'lilac-collect-'));
  const kept = join(root, 'outputs');
  const stopped = join(root, STOPPED);
  mkdirSync(stopped, { recursive: true });
  const outputs = new InstanceOutputs({ root: kept, log: silentLog });
  const isStopped = (id: string) => existsSync(join(stopped, id));
  return {
    root,
    runtime: {
      outputs: async () =>
        outputs.list().map((labels) => {
          const isOver = isStopped(labels.instanceId);
          return { ...labels, isOver, isStopped: isOver };
        }),
      readOutput: async (id, from, maxBytes) => outputs.read(id, from, maxBytes),
      releaseOutput: async (id, before) => outputs.release(id, before),
      forgetOutput: async (id) => outputs.forget(id),
    },
    begin: (instanceId, environmentId) =>
      outputs.make({ instanceId, environmentId, organisationId: 'org_1', deploymentId: `dep_of_${instanceId}` }),
    write: (instanceId, stream, text) => appendFileSync(join(kept, instanceId, stream), text),
    stop: (instanceId) => mkdirSync(join(stopped, instanceId), { recursive: true }),
    trim: () => outputs.list().forEach(({ instanceId }) => void outputs.trim(instanceId)),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}
