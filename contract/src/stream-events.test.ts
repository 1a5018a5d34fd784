import { expect, it } from 'vitest';
import { declarationOf, endpointNames } from './endpoints.ts';
import { eventsOf } from './stream-events.ts';

const streams = endpointNames.filter((name) => declarationOf(name).stream);

it('finds the events of every stream', () => {
  expect(eventsOf(declarationOf('logs.stream')).map(({ name }) => name)).toEqual(['log']);
  for (const name of streams) expect(eventsOf(declarationOf(name))).not.toEqual([]);
});

it('is sure of every stream: it changes nothing, can be come back to, and ends with the session', () => {
  expect(streams).toContain('logs.stream');
  for (const name of streams) {
    const { method, needsLiveSession, headers = [], body } = declarationOf(name);
    const found = { name, method, needsLiveSession, headers: headers.map((header) => header.name), body };
    expect(found).toEqual({ name, method: 'GET', needsLiveSession: true, headers: ['Last-Event-ID'], body: undefined });
  }
});
