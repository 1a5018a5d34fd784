import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A way to a store by the network that can be cut without a word to either end. */
export interface SilentProxy extends AsyncDisposable {
  url: string;
  /** Nothing passes on what is connected now, for ever: its machine is gone. */
  cut(): void;
  /**
   * What connects from now on gets no answer either; or does again, and by then the store has given up what was cut.
   */
  setReachable(isReachable: boolean): void;
}

/** In front of a store that listens on a unix socket, as those of tests do. */
export async function startSilentProxy(storeUrl: string): Promise<SilentProxy> {
  const target = new URL(storeUrl.replace('@/', '@localhost/'));
  const path = `${target.searchParams.get('host')}/.s.PGSQL.5432`;
  const sockets = new Set<Socket>();
  const cuts = new Set<() => void>();
  const given: Socket[] = [];
  let isReachable = true;
  const server = createServer((near) => {
    sockets.add(near.on('error', () => {}));
    if (!isReachable) return;
    const far = connect(path).on('error', () => {});
    sockets.add(far);
    near.pipe(far).pipe(near);
    cuts.add(() => {
      near.unpipe(far);
      far.unpipe(near);
      // What still comes is swallowed: its sender hears that it arrived.
      near.resume();
      far.resume();
      given.push(far);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { username, password, pathname } = target;
  return {
    url: `postgresql://${username}:${password}@127.0.0.1:${port}${pathname}`,
    cut() {
      for (const cut of cuts) cut();
      cuts.clear();
    },
    setReachable(value) {
      isReachable = value;
      if (isReachable) for (const far of given.splice(0)) far.destroy();
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
