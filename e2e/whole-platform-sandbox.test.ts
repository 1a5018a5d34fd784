import { describe } from 'vitest';
import { join } from 'node:path';
import { mountsBelow } from '../server/src/runtime/docker/mount-stage.ts';
import { runningInstances, startPlatform } from './platform.ts';
import { runWholePlatform } from './whole-platform.ts';
import { hurriedSettings } from './whole-platform/scene.ts';

describe('servers and databases on one machine', () => {
  runWholePlatform(async () => {
    const platform = await startPlatform({ env: { ...hurriedSettings, LILAC_RUNTIME: 'sandbox' } });
    return {
      platform,
      countRunning: async () => runningInstances(platform).length,
      listRemains: async () => [...runningInstances(platform), ...mountsBelow(join(platform.home, 'instances'))],
      [Symbol.asyncDispose]: () => platform[Symbol.asyncDispose](),
    };
  });
});
