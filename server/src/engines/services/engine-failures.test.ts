import { describe, expect, it } from 'vitest';
import { EngineAway, EngineRefused } from '../engine.ts';
import { asRefused } from './engine-failures.ts';

describe('what the engine or the swarm did not do', () => {
  it('is told in the words of whoever refused it', () => {
    const message =
      'could not find the corresponding predefined swarm network: rpc error: code = Unknown desc = The swarm does not have a leader.';
    const error = Object.assign(new Error(`(HTTP code 503) ${message}`), { statusCode: 503, json: { message } });
    const refused = asRefused(error);
    expect(refused).toBeInstanceOf(EngineAway);
    expect((refused as Error).message).toBe(
      'The swarm does not take the server of this database: The swarm does not have a leader. It is tried again.',
    );
  });

  it('is held against what was asked only where that was wrong', () => {
    const error = Object.assign(new Error('invalid'), { statusCode: 400, json: { message: 'invalid mount' } });
    const refused = asRefused(error);
    expect(refused).toBeInstanceOf(EngineRefused);
    expect(refused).not.toBeInstanceOf(EngineAway);
  });

  it('is told of an engine that does not answer', () => {
    const error = Object.assign(new Error('connect ENOENT'), { code: 'ENOENT', syscall: 'connect' });
    expect((asRefused(error) as Error).message).toBe(
      'The engine of Docker does not answer (ENOENT): databases that run go on. It is tried again.',
    );
  });

  it('is left as it is where neither has said anything', () => {
    const error = new Error('of our own making');
    expect(asRefused(error)).toBe(error);
  });
});
