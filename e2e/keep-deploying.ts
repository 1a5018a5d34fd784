import { setTimeout as delay } from 'node:timers/promises';
import type { Account } from './acknowledged-writes.ts';
import { createDeployer, type Application, type Deployer, type Files } from './deploying.ts';
import type { MakingCall } from './made-once.ts';
import type { Platform } from './platform.ts';
import { serverApp } from './server-app.ts';

export interface Deploying {
  /** Every call that asked for a deployment: the archive it sent, and the deployment it was told of. */
  calls: readonly MakingCall[];
  /** Deployments that were acknowledged and have ended well, in their order. */
  released: readonly string[];
  stop(): Promise<void>;
}

const RETRY_MS = 100;

/**
 * Releases and changes the scale of an application, by turns through each host, one after another. Whatever a host
 * does not answer, because it was killed, is asked of the next one.
 */
export function keepDeploying(hosts: () => readonly Platform[], account: Account, application: Application): Deploying {
  const calls: MakingCall[] = [];
  const released: string[] = [];
  const stopping = new AbortController();
  let turn = 0;

  async function ask<T>(work: (deployer: Deployer) => Promise<T>): Promise<T> {
    for (;;) {
      const all = hosts();
      try {
        return await work(createDeployer(all[turn++ % all.length]!, account));
      } catch (error) {
        if (isRefusal(error)) throw error;
        await delay(RETRY_MS);
      }
    }
  }

  const scale = (count: number) =>
    ask(({ client, targetOrganisationId }) =>
      client.call('environments.scale', {
        body: {
          targetOrganisationId,
          environmentId: application.environmentId,
          minInstances: count,
          maxInstances: count,
        },
      }),
    );

  /** Every call has an archive of its own, so it is known of each deployment which call has made it. */
  async function deploy(deployer: Deployer, files: Files): Promise<string> {
    const { client, targetOrganisationId } = deployer;
    const uploadId = await deployer.upload(files);
    const call: MakingCall = { sent: uploadId, id: null };
    calls.push(call);
    const body = { targetOrganisationId, applicationId: application.id, uploadId };
    const { id } = await client.call('applications.deploy', { body });
    call.id = id;
    return id;
  }

  const work = (async () => {
    for (let round = 1; !stopping.signal.aborted; round++) {
      await scale(1 + (round % 2));
      const id = await ask((deployer) => deploy(deployer, serverApp(`release ${round}`)));
      await ask((deployer) => deployer.healthy(id));
      released.push(id);
    }
    await scale(2);
  })();
  // It is told by whoever stops it.
  work.catch(() => {});
  return {
    calls,
    released,
    stop() {
      stopping.abort();
      return work;
    },
  };
}

/** An answer that says no, and not one that there was not. */
function isRefusal(error: unknown): boolean {
  const { status } = error as { status?: number };
  return (
    (status !== undefined && status >= 400 && status < 500) || /^(failed|cancelled):/.test((error as Error).message)
  );
}
