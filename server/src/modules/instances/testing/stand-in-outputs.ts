import type { Instance, InstanceOutput, Runtime } from '../../../runtime/runtime.ts';

type OutputRuntime = Pick<Runtime, 'outputs' | 'readOutput' | 'releaseOutput' | 'forgetOutput'>;
type Labels = Omit<InstanceOutput, 'isOver' | 'isStopped'>;

/** What instances wrote, in memory: everything on standard output, and at once. */
export function createStandInOutputs(
  find: (instanceId: string) => Instance | null,
): OutputRuntime & { write(labels: Labels, lines: readonly string[]): void } {
  const kept = new Map<string, { labels: Labels; bytes: Buffer; writtenAt: Date }>();
  return {
    write(labels, lines) {
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
      kept.set(labels.instanceId, { labels, bytes, writtenAt: new Date() });
    },
    outputs: async () =>
      [...kept.values()].map(({ labels }) => {
        const instance = find(labels.instanceId);
        const isOver = instance === null || instance.exit !== null;
        return { ...labels, isOver, isStopped: instance === null };
      }),
    async readOutput(instanceId, from, maxBytes) {
      const { bytes, writtenAt } = kept.get(instanceId) ?? { bytes: Buffer.alloc(0), writtenAt: new Date(0) };
      const stdout = bytes.subarray(from.stdout, from.stdout + maxBytes);
      const position = { stdout: from.stdout + stdout.length, stderr: from.stderr };
      const times = { stdout: writtenAt, stderr: writtenAt };
      const unreadBytes = { stdout: bytes.length - position.stdout, stderr: 0 };
      return { stdout, stderr: Buffer.alloc(0), position, lostBytes: 0, unreadBytes, writtenAt: times };
    },
    async releaseOutput() {},
    async forgetOutput(instanceId) {
      if (find(instanceId)) throw new Error(`${instanceId} was not stopped`);
      kept.delete(instanceId);
    },
  };
}
