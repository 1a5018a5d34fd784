import { expect, it } from 'vitest';
import { AddressRest } from './address-rest.ts';
import type { SwarmService } from './engine.ts';
import type { SeenInstance } from './swarm-view.ts';

const serviceOf = (environmentId: string): SwarmService => ({
  ID: environmentId,
  Version: { Index: 1 },
  Spec: { Name: environmentId, Labels: { 'lilac.environment': environmentId }, Mode: { Replicated: { Replicas: 1 } } },
});

const place = { host: '10.0.0.1', port: 32_768 };
const seen = {
  claim: { ...place, taskId: 't1', instanceId: 'ins_1', controlPort: 2, startedAt: new Date(0) },
  service: serviceOf('env_1'),
  task: null,
  isLive: false,
} satisfies SeenInstance;

it('an address that an instance had is given to no other environment before it has rested', () => {
  const rest = new AddressRest();
  rest.see([seen]);
  rest.see([]);
  expect(rest.isAnothers(place, serviceOf('env_2'))).toBe(true);
  expect(rest.isAnothers(place, serviceOf('env_1'))).toBe(false);
  expect(rest.isAnothers({ ...place, port: 32_769 }, serviceOf('env_2'))).toBe(false);
});

it('an address that has rested is anybody’s', () => {
  const rest = new AddressRest(0);
  rest.see([seen]);
  expect(rest.isAnothers(place, serviceOf('env_2'))).toBe(false);
});
