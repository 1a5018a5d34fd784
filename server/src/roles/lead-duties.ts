import type { LeadName } from '../jobs/leadership.ts';
import type { WorkerParts } from '../wire/worker.ts';

type DutyParts = Pick<WorkerParts, 'fleet' | 'databases' | 'collector' | 'noteIsolation' | 'endInstances'>;

/** What a worker does besides jobs, for as long as it leads. */
export interface LeadDuties {
  /** From when on this worker is the only one of its name. Resolves when everything that it leads by now is done. */
  open(): Promise<void>;
  take(name: LeadName): void;
  /** Instances run on, unless the whole platform stops. */
  stop(options: { isFinal: boolean }): Promise<void>;
}

/** One after another, in the order of `leadNames`: instances find their databases kept. */
export function createLeadDuties(parts: DutyParts, onFailure: (error: unknown) => void): LeadDuties {
  const opened = Promise.withResolvers<void>();
  const led = new Set<LeadName>();
  let begun: Promise<void> = opened.promise.then(() => parts.noteIsolation());

  const begin = async (name: LeadName): Promise<void> => {
    await (name === 'databases' ? parts.databases.start() : parts.fleet.start());
    led.add(name);
  };
  return {
    open() {
      opened.resolve();
      return begun;
    },
    take(name) {
      // What instances wrote meanwhile need not wait until all of them have been looked at.
      if (name === 'instances') void opened.promise.then(() => parts.collector.start());
      begun = begun.then(() => begin(name));
      begun.catch(onFailure);
    },
    async stop({ isFinal }) {
      await begun.catch(() => {});
      if (led.has('instances')) await parts.fleet.stop();
      if (led.has('databases')) await parts.databases.stop();
      if (!led.has('instances')) return;
      if (isFinal) await parts.endInstances();
      await parts.collector.stop();
    },
  };
}
