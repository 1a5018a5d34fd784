import { describe } from 'vitest';
import { canRunDocker } from '../../testing/docker/can-run-docker.ts';
import { conformToRuntime } from '../conformance.ts';
import { openSwarmSubject } from './testing/swarm-subject.ts';

describe.skipIf(!canRunDocker())('the swarm runtime', () => {
  conformToRuntime(() => openSwarmSubject({ nodes: 1 }));
});
