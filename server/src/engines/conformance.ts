import { afterAll, beforeAll, describe } from 'vitest';
import { conformAccess } from './conformance-access.ts';
import { conformLife } from './conformance-life.ts';
import { conformStandby } from './conformance-standby.ts';
import { conformStorage } from './conformance-storage.ts';
import type { EngineSubject } from './conformance-subject.ts';

const ALL = [conformLife, conformAccess, conformStorage, conformStandby];

/** What every engine must do, whatever its servers are: the comments of `engine.ts`, one by one. */
export function describeEngine(name: string, open: () => Promise<EngineSubject>, parts = ALL): void {
  describe(`${name} as an engine`, () => {
    let opened: EngineSubject | undefined;
    beforeAll(async () => {
      opened = await open();
      await opened.engine.prepare();
    });
    afterAll(async () => {
      await opened?.[Symbol.asyncDispose]();
    });
    const subject = (): EngineSubject => {
      if (!opened) throw new Error('the engine was not opened');
      return opened;
    };
    for (const conform of parts) conform(subject);
  });
}
