import type { AddressInfo } from 'node:net';
import { writeLog } from '../logs/testing/write-log.ts';
import { buildApi } from '../wire/api.ts';
import { createApplication, createOwner, productionOf } from './factories.ts';
import { startApi, type ApiOptions } from './harness.ts';
import { openStream, type StreamCall } from './open-stream.ts';

export interface StreamingOptions extends ApiOptions {
  /** Where it listens; left out, at a port. */
  socketPath?: string;
}

/** An api that listens, with an environment whose log can be followed. */
export async function startStreaming({ socketPath, ...options }: StreamingOptions = {}) {
  const api = await startApi(options);
  await api.app.listen(socketPath === undefined ? { port: 0, host: '127.0.0.1' } : { path: socketPath });
  const { port = 0 } = api.app.server.address() as Partial<AddressInfo>;
  const owner = await createOwner(api);
  const { organisationId, token } = owner;
  const application = await createApplication(api, { organisationId });
  const environment = await productionOf(api, application.id);
  const path = `/api/environments/${organisationId}/${environment.id}/logs/stream`;
  const write = (message: string) =>
    writeLog(api.store.db, environment.id, [
      { atMs: Date.now(), severity: 'INFO', message, instanceId: null, deploymentId: null },
    ]);
  return {
    ...api,
    api,
    port,
    owner,
    organisationId,
    environment,
    path,
    write,
    open: (call: Partial<StreamCall> = {}) => openStream({ port, path, token, ...call }),
    openConnections: () =>
      new Promise<number>((resolve, reject) =>
        api.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      ),
    /** Another api on the same store, as after a restart. */
    startSuccessor: async () => {
      const app = await buildApi(api);
      await app.listen({ path: socketPath! });
      return app;
    },
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}
