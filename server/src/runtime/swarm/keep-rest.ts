import { appendFileSync, existsSync } from 'node:fs';
import type { InstanceOutputs } from '../output/instance-outputs.ts';
import { outputFilesOf, streamNames, writeMarks, type OutputLabels } from '../output/output-files.ts';
import type { OutputPosition } from '../runtime.ts';
import type { TaskControl } from './control-client.ts';

const READ_BYTES = 4 * 1024 ** 2;

export interface RestDeps {
  control: TaskControl;
  outputs: InstanceOutputs;
  labels: OutputLabels;
  /** What is before it somebody has. */
  from: OutputPosition;
}

/** Brings what nobody has read yet to this machine, before the task takes it along. */
export async function keepRest({ control, outputs, labels, from }: RestDeps): Promise<void> {
  let position = from;
  let files = beginAnew(outputs, labels);
  for (;;) {
    const part = await control.output(position, READ_BYTES);
    // It was too much, and the oldest of it went: what is before that hole would be counted as what is behind it.
    if (part.lostBytes > 0) files = beginAnew(outputs, labels);
    for (const name of streamNames) {
      const begin = part.position[name] - part[name].length;
      if (!existsSync(files[name])) writeMarks(files[name], { base: begin, floor: begin });
      appendFileSync(files[name], part[name], { mode: 0o600 });
    }
    position = part.position;
    if (part.stdout.length + part.stderr.length === 0) return;
  }
}

function beginAnew(outputs: InstanceOutputs, labels: OutputLabels) {
  outputs.forget(labels.instanceId);
  return outputFilesOf(outputs.make(labels));
}
