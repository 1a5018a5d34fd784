import { describe } from 'vitest';
import { canRunDocker } from '../server/src/testing/docker/can-run-docker.ts';
import { runWholePlatform } from './whole-platform.ts';
import { areServices, isKeptByAnotherHost } from './whole-platform/another-host.ts';
import { openSwarmWorld } from './whole-platform/swarm-world.ts';

describe.runIf(canRunDocker())('servers in a swarm of three machines, and databases', () => {
  runWholePlatform(openSwarmWorld, {
    'its databases are services of the swarm': areServices,
    'the host of the worker is lost; another keeps the instances, and no visitor is turned away': isKeptByAnotherHost,
  });
});
