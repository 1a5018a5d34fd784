import { afterAll, beforeAll, describe } from 'vitest';
import { canRunDocker } from '../../testing/docker/can-run-docker.ts';
import { conformToRuntime } from '../conformance.ts';
import { openDockerSubject } from './testing/docker-subject.ts';
import { startLocalEngine, type LocalEngine } from './testing/local-engine.ts';

describe.runIf(canRunDocker())('the docker runtime', () => {
  let engine: LocalEngine;
  // The first time of all its image is made.
  beforeAll(async () => {
    engine = await startLocalEngine();
  }, 900_000);
  afterAll(() => engine?.[Symbol.asyncDispose]());

  conformToRuntime(() => openDockerSubject(engine));
});
