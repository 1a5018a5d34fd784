import type { AddressInfo } from 'node:net';
import { writeLog } from '../logs/write-log.ts';
import { createApplication, createOwner, productionOf } from './factories.ts';
import { startApi, type ApiOptions } from './harness.ts';
import { openStream, type StreamCall } from './open-stream.ts';

/** An api that listens, with an environment whose log can be followed. */
export async function startStreaming(options: ApiOptions = {}) {
  const api = await startApi(options);
  await api.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = api.app.server.address() as AddressInfo;
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
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}
