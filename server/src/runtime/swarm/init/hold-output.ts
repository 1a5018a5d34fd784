import { statSync } from 'node:fs';
import type { InstanceOutputs } from '../../output/instance-outputs.ts';
import { outputFilesOf } from '../../output/output-files.ts';
import { isWorthTrimming, mustWait, nextLookMs } from '../../output/output-pressure.ts';
import { processesOf, signalAll } from './program-processes.ts';

export interface HeldOutput {
  outputs: InstanceOutputs;
  instanceId: string;
  folder: string;
  uid: number;
}

/**
 * Keeps what the program writes in its bounds, also where nobody collects it: the oldest goes, and whoever reads next
 * is told how much. A program that writes faster than that stands still meanwhile. Returns how to let it be.
 */
export function holdOutput({ outputs, instanceId, folder, uid }: HeldOutput): () => void {
  const { stdout, stderr } = outputFilesOf(folder);
  let isHeld = false;
  let lastSum = 0;
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    const sizes = [bytesOf(stdout), bytesOf(stderr)];
    const used = { most: Math.max(...sizes), sum: sizes[0]! + sizes[1]! };
    if (isWorthTrimming(used)) void outputs.trim(instanceId);
    // Again at every look: new ones may have come.
    if (mustWait(used, { isHeld })) hold();
    else letGo();
    const grownBytes = used.sum - lastSum;
    lastSum = used.sum;
    timer = setTimeout(look, nextLookMs({ grownBytes, heldCount: isHeld ? 1 : 0, count: 1 }));
  }

  function hold(): void {
    isHeld = true;
    signalAll(processesOf(uid), 'SIGSTOP');
  }

  function letGo(): void {
    if (!isHeld) return;
    isHeld = false;
    signalAll(processesOf(uid), 'SIGCONT');
  }

  look();
  return () => {
    clearTimeout(timer);
    letGo();
  };
}

const bytesOf = (path: string): number => (statSync(path, { throwIfNoEntry: false })?.blocks ?? 0) * 512;
