import { connect } from 'node:net';
import fc from 'fast-check';
import { statusesOfHttp1, statusesOfHttp2 } from '../server/src/edge/testing/answered-statuses.ts';
import {
  floodsOf,
  opening,
  request as streamOf,
  rightConversations,
} from '../server/src/edge/tls/http2/testing/floods.ts';
import { mutationsOf, readCorpus } from '../server/src/testing/fuzz-settings.ts';
import { connectPlainly, connectSecurely, floodWith, sendAll, type Reply } from './edge-connections.ts';
import { corpusHosts, everyHost, type Target } from './edge-target.ts';
import { holdUnfinished } from './unfinished-clients.ts';

/** It may wait until somebody else was served meanwhile. */
export type Attack = (target: Target, seed: number, othersServed: Promise<unknown>) => Promise<Reply[]>;

/** Each is made of a seed, and ends with every connection closed. */
export const attacks: Record<string, Attack> = {
  'requests that are nearly right': (target, seed) =>
    sendAll([...tellingPaths(target), ...madeOf(requests(target), telling, { seed, numRuns: 300 })], {
      target,
      open: () => connectPlainly(target),
      read: statusesOfHttp1,
    }),
  'the same by https': (target, seed) =>
    sendAll(madeOf(requests(target), telling, { seed, numRuns: 100 }), {
      target,
      open: () => connectSecurely(target, 'http/1.1'),
      read: statusesOfHttp1,
    }),
  'rubbish in the place of a handshake': (target, seed) =>
    sendAll([hello, ...readCorpus('edge'), ...fc.sample(rubbish, { seed, numRuns: 100 })], {
      target,
      open: () => connect(target.tlsPort, '127.0.0.1'),
      read: statusesOfHttp1,
    }),
  'frames of HTTP/2 that are nearly right': (target, seed) =>
    sendAll([...tellingStreams(target), ...madeOf(conversations(target), ofFrames, { seed, numRuns: 200 })], {
      target,
      open: () => connectSecurely(target, 'h2'),
      read: statusesOfHttp2,
    }),
  'floods of HTTP/2': async (target) => {
    for (const host of ['site.localhost', 'server.localhost'] as const) {
      for (const each of Object.values(floodsOf(target.hosts[host]))) await floodWith(target, each);
    }
    return [];
  },
  'heads without end': (target) =>
    sendAll(headFloods(target), { target, open: () => connectPlainly(target), read: statusesOfHttp1 }),
  'very many who never finish': async (target, _seed, othersServed) => {
    await holdUnfinished(target, othersServed);
    return [];
  },
};

/**
 * What may stand in a path, and means something to whoever decodes it: half an escape, none, half a character, a way
 * up.
 */
const inPaths = [
  '%',
  '%z',
  '%zz',
  '100%',
  '%e0%a4',
  '%ff',
  '%c0%80',
  '%ed%a0%80',
  '%u0041',
  '%00',
  '%2f',
  '%2e%2e%2f',
  '..',
  '..%5c',
  '(',
  '[',
  '{',
  '*',
  '$&',
];

const telling = [
  ...inPaths,
  '\r\n',
  '\n',
  '\r',
  '\0',
  ' ',
  ':',
  ',',
  '0',
  '-1',
  'ffffffffffffffff',
  'chunked',
  'Host: ',
  '\x80',
];

function requests({ hosts }: Target): Buffer[] {
  const withHosts = (text: string) =>
    corpusHosts.reduce((changed, name) => changed.replaceAll(name, hosts[name]), text);
  return readCorpus('edge').map((bytes) => Buffer.from(withHosts(bytes.toString('latin1')), 'latin1'));
}

const requestTargets = inPaths.flatMap((text) => [`/${text}`, `/a${text}/b`, `/?a=${text}`]);

/** Each once by itself, all else being right: chance alone would seldom have them so. */
function tellingPaths(target: Target): Buffer[] {
  return everyHost(target).flatMap((host) =>
    requestTargets.map((path) => Buffer.from(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)),
  );
}

/** Of HTTP/2 all of them on one connection, each in its own stream. */
function tellingStreams(target: Target): Buffer[] {
  return everyHost(target).map((host) =>
    Buffer.concat([opening(), ...requestTargets.map((path, at) => streamOf(at * 2 + 1, host, { path }))]),
  );
}

/** Of TLS 1.0 to 1.2, as clients begin: a record, a greeting of version 3.3, random bytes, no session, two ciphers. */
const hello = Buffer.concat([
  Buffer.from('160301003d010000390303', 'hex'),
  Buffer.alloc(32, 7),
  Buffer.from('00000413011302010000', 'hex'),
  Buffer.from('0c0000000a00080000056c6f63616c', 'hex'),
]);
const rubbish = fc.oneof(
  mutationsOf([hello], ['\x16\x03', '\xff\xff', '\0\0', '\x14\x03\x03\0\x01\x01', '\x15\x03\x03\0\x02\x02\x28']),
  fc.uint8Array({ maxLength: 2000, size: 'max' }).map((bytes) => Buffer.from(bytes)),
);

const conversations = ({ hosts }: Target) => Object.values(hosts).flatMap((host) => rightConversations(host));
const ofFrames = ['\0\0\0', '\xff\xff\xff', '\x09', '\x01\x04', '\x7f\xff\xff\xff', '\x05', '\0\0\0\x01'];

/** To the platform itself, and to a server behind the edge. */
function headFloods({ hosts }: Target): Buffer[] {
  return ['localhost', hosts['server.localhost']].flatMap((host) =>
    [
      `GET / HTTP/1.1\r\nHost: ${host}\r\nX: ${'x'.repeat(1_000_000)}`,
      `GET /${'a'.repeat(1_000_000)} HTTP/1.1\r\n`,
      `GET / HTTP/1.1\r\nHost: ${host}\r\n${'X: y\r\n'.repeat(100_000)}\r\n`,
      `POST / HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(1_000_000)}`,
      `POST / HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n${'X: y\r\n'.repeat(100_000)}`,
    ].map((text) => Buffer.from(text)),
  );
}

/** What is kept comes first, as it is; the others are made of it. */
function madeOf(
  kept: readonly Buffer[],
  telling: readonly string[],
  runs: { seed: number; numRuns: number },
): Buffer[] {
  return [...kept, ...fc.sample(mutationsOf(kept, telling), runs)];
}
