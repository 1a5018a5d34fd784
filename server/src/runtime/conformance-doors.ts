import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import type { RuntimeBench } from './conformance.ts';

const CALLER = `node -e '
const [host, port] = require("node:process").env.CALL.split(" ");
const call = () => require("node:net").connect({ host, port })
  .on("error", (error) => { console.log(error.code); setTimeout(call, 100); })
  .on("data", (chunk) => { console.log(String(chunk)); setTimeout(call, 100); });
call();'`;

const WAITING = { timeout: 10_000, interval: 50 };

/** Databases of this machine, as instances see them. */
export function conformDoors(bench: RuntimeBench): void {
  describe('doors to databases', () => {
    it('let the organisation’s own instances in, at the address that the network says, also after a restart', async () => {
      const server = createServer((socket) => socket.on('error', () => {}).end('a database')).listen(0, '0.0.0.0');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      try {
        const { hostAddress: host, range } = await bench.runtime.network();
        await bench.runtime.setDoors([{ port, organisationId: 'org_1', isPrivate: true }]);
        const call = { env: { CALL: `${host} ${port}` } };
        const ours = await bench.start(CALLER, call);
        const theirs = await bench.start(CALLER, { ...call, organisationId: 'org_2' });
        const says = (id: string, word: string) =>
          vi.waitFor(async () => expect((await bench.runtime.tail(id, 1))[0]).toBe(word), WAITING);
        const outside = range === null ? 'a database' : 'ECONNREFUSED';
        await says(ours.id, 'a database');
        await says(theirs.id, outside);
        await bench.reopen();
        const later = await bench.start(CALLER, call);
        await says(later.id, 'a database');
        await bench.runtime.setDoors([{ port, organisationId: 'org_2', isPrivate: true }]);
        await says(theirs.id, 'a database');
        await says(ours.id, outside);
        expect((await bench.runtime.network()).hostAddress).toBe(host);
      } finally {
        await bench.runtime.setDoors([]);
        server.close();
      }
    });
  });
}
