import { readDuration, readSubnet } from './read-values.ts';
import type { Setting } from './setting.ts';
import type { ReadSetting, SettingName } from './settings.ts';

const HOUR_MS = 3_600_000;

export const instanceSettings = [
  {
    name: 'LILAC_SCALE_DOWN_AFTER',
    default: '60s',
    summary: 'How long an application must need fewer instances before some are stopped: `30s`, `5m`, `1h`.',
  },
  {
    name: 'LILAC_IDLE_TO_ZERO_AFTER',
    default: '10m',
    summary:
      'How long an application with `minInstances` 0 must be without requests before its last instance is stopped.',
  },
  {
    name: 'LILAC_START_WITHIN',
    default: '60s',
    summary: 'How long a new instance may take until it listens. One that takes longer has failed to start.',
  },
  {
    name: 'LILAC_DRAIN_WITHIN',
    default: '30s',
    summary: 'How long requests that are under way may take to finish on an instance that is about to be stopped.',
  },
  {
    name: 'LILAC_INSTANCE_SUBNET',
    default: '10.213.0.0/16',
    summary:
      'Where the platform is root, every instance has a network of its own with an address out of this private /16. ' +
      'Choose another one if your own network uses it.',
  },
] as const satisfies readonly Setting[];

export interface InstanceSettings {
  scaleDownAfterMs: number;
  idleToZeroAfterMs: number;
  startWithinMs: number;
  drainWithinMs: number;
  /** The first two numbers of the addresses that instances get: `10.213`. */
  subnet: string;
}

export function readInstanceSettings(read: ReadSetting): InstanceSettings {
  const duration = (name: SettingName, fallback: string, minMs = 100) =>
    readDuration(name, read(name) ?? fallback, { minMs, maxMs: 24 * HOUR_MS });
  return {
    scaleDownAfterMs: duration('LILAC_SCALE_DOWN_AFTER', '60s'),
    idleToZeroAfterMs: duration('LILAC_IDLE_TO_ZERO_AFTER', '10m'),
    startWithinMs: duration('LILAC_START_WITHIN', '60s', 1000),
    drainWithinMs: duration('LILAC_DRAIN_WITHIN', '30s'),
    subnet: readSubnet(read('LILAC_INSTANCE_SUBNET') ?? '10.213.0.0/16'),
  };
}
