import { mkdirSync } from 'node:fs';
import { eventually } from '../../../testing/eventually.ts';
import type { InstanceExit, InstanceSpec } from '../../runtime.ts';
import type { SandboxRuntime } from '../create-sandbox-runtime.ts';
import { openSandboxSubject, type SandboxSubject } from './sandbox-subject.ts';

/** An open runtime, and short ways to try something in an instance of it. */
export interface InstanceBench extends AsyncDisposable {
  subject: SandboxSubject;
  runtime: SandboxRuntime;
  exits: InstanceExit[];
  spec(command: string, changes?: Partial<InstanceSpec>): InstanceSpec;
  start(command: string, changes?: Partial<InstanceSpec>): Promise<string>;
  /** Runs a script to its end, in an instance that stays, and gives its lines. */
  linesOf(script: string, changes?: Partial<InstanceSpec>): Promise<string[]>;
  /** Waits until the output has this line. */
  says(id: string, line: string): Promise<void>;
}

let count = 0;
const END = 'the end of the script';

export async function openInstanceBench(
  options: Parameters<typeof openSandboxSubject>[0] & { files?: Record<string, string> } = {},
): Promise<InstanceBench> {
  const { files = { file: 'packed\n' }, ...given } = options;
  const subject = await openSandboxSubject(given);
  mkdirSync(subject.home, { recursive: true, mode: 0o700 });
  const packed = await subject.pack(files);
  const runtime = subject.create();
  await runtime.open();
  const exits: InstanceExit[] = [];
  runtime.onExit((exit) => void exits.push(exit));
  const spec = (command: string, changes: Partial<InstanceSpec> = {}): InstanceSpec => ({
    id: `ins_b${process.pid}_${count++}`,
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
  });
  const start = async (command: string, changes?: Partial<InstanceSpec>) => {
    const started = spec(command, changes);
    await runtime.start(started);
    return started.id;
  };
  const says = (id: string, line: string) =>
    eventually(`it says ${line}`, async () => (await runtime.tail(id, 1000)).includes(line));
  return {
    subject,
    runtime,
    exits,
    spec,
    start,
    says,
    async linesOf(script, changes) {
      const id = await start(`exec 2>&1\n${script}\necho '${END}'; sleep 1000`, changes);
      await says(id, END);
      const lines = await runtime.tail(id, 1000);
      await runtime.stop(id, { graceMs: 0 });
      return lines.slice(0, -1);
    },
    async [Symbol.asyncDispose]() {
      for (const { id } of await runtime.list()) await runtime.stop(id, { graceMs: 0 });
      await runtime.close();
      await subject[Symbol.asyncDispose]();
    },
  };
}
