import { createServer, type AddressInfo, type Server } from 'node:net';
import { describe, expect, it } from 'vitest';
import { listenersBeside, listenersOf, parseSockets } from './listening-sockets.ts';

const HEADER = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode';
const line = (local: string, state: string, inode: number): string =>
  `   0: ${local} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000     0        0 ${inode} 1 0000 100 0`;

describe('what /proc tells of sockets', () => {
  it.each([
    ['00000000:1F90', false],
    ['0100007F:1F90', true],
    ['3500007F:1F90', true],
    ['0100A8C0:1F90', false],
    ['00000000000000000000000000000000:1F90', false],
    ['00000000000000000000000001000000:1F90', true],
    ['0000000000000000FFFF00000100007F:1F90', true],
    ['0000000000000000FFFF00000100A8C0:1F90', false],
    ['000080FE00000000000000000100007F:1F90', false],
  ])('%s is reached by itself alone: %s', (local, isLocal) => {
    expect(parseSockets(`${HEADER}\n${line(local, '0A', 77)}\n`)).toEqual([{ port: 8080, isLocal, inode: '77' }]);
  });

  it('counts only those that listen', () => {
    expect(parseSockets(`${HEADER}\n${line('00000000:1F90', '01', 1)}\n${line('00000000:1F91', '06', 2)}\n`)).toEqual(
      [],
    );
  });
});

describe('in a network shared with others', () => {
  it('a process is told only its own ports', async () => {
    const [mine, local] = [await listen('0.0.0.0'), await listen('127.0.0.1')];
    try {
      const found = listenersOf([process.pid]);
      expect(found).toContainEqual({ port: portOf(mine), isLocal: false });
      expect(found).toContainEqual({ port: portOf(local), isLocal: true });
      expect(listenersBeside([process.pid])).toContainEqual({ port: portOf(mine), isLocal: false });
      expect(listenersOf([process.ppid])).not.toContainEqual({ port: portOf(mine), isLocal: false });
    } finally {
      mine.close();
      local.close();
    }
  });

  it('processes that are gone listen on nothing', () => {
    expect(listenersOf([2 ** 22 + 1])).toEqual([]);
    expect(listenersBeside([2 ** 22 + 1])).toEqual([]);
  });
});

function listen(host: string): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, host, () => resolve(server));
  });
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
