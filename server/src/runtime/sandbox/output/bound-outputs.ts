import { pathsOf, type Config } from '../../../config.ts';
import type { Log } from '../../../lib/log.ts';
import { InstanceOutputs } from './instance-outputs.ts';

const TRIM_MS = 500;

/** Instances write on while nobody is there to collect it: until a runtime is open, this keeps the disk from filling. */
export function boundOutputs({ config, log }: { config: Config; log: Log }): Disposable {
  const outputs = new InstanceOutputs({ root: pathsOf(config).outputs, log });
  const timer = setInterval(() => outputs.trim(), TRIM_MS).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
