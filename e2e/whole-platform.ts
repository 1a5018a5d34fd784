import { afterAll, beforeAll, expect, it } from 'vitest';
import { findsItsDatabases, getsItsNotesBack, isGivenNewPasswords, keepsNotes } from './whole-platform/keep-notes.ts';
import { opensForWhoKnowsThePassword } from './whole-platform/lock.ts';
import { comesBackAfterCrash, isHeard, isKeptWithinItsMemory } from './whole-platform/misbehave.ts';
import { leavesNothing, outlastsEveryProcess } from './whole-platform/outlast.ts';
import { openScene, type Scene, type World } from './whole-platform/scene.ts';
import { answersVisitors, isReleased, isRolledBack, isScaled, wakesFromSleep } from './whole-platform/serve.ts';

export type Steps<W extends World = World> = Record<string, (scene: Scene<W>) => Promise<void>>;

/** In this order: each goes on where the one before has ended. */
const steps: Steps = {
  'a server from an archive is healthy and answers visitors': answersVisitors,
  'what it says is in its log, and in the live log as it is said': isHeard,
  'a release brings its new variables, and no visitor is turned away': isReleased,
  'a rollback brings the old ones back, and no visitor is turned away': isRolledBack,
  'it is scaled to three and back to one, and no visitor is turned away': isScaled,
  'it falls asleep and is woken by visitors, none of whom is turned away': wakesFromSleep,
  'one that crashes is replaced, and the log tells why': comesBackAfterCrash,
  'one that leaks is ended at the memory it was given, is replaced, and the log tells why': isKeptWithinItsMemory,
  'a password lets those in who know it': opensForWhoKnowsThePassword,
  'another is released with databases; a WebSocket and a stream of events do not notice': findsItsDatabases,
  'it writes into its databases and reads': keepsNotes,
  'passwords of databases are changed, and it finds them all the same': isGivenNewPasswords,
  'what was dumped comes back by an import': getsItsNotesBack,
  'the worker, the api and the edges are killed; no visitor is turned away, no instance is lost': outlastsEveryProcess,
};
const lastSteps: Steps = { 'what is deleted leaves nothing': leavesNothing };

/**
 * What a user does with servers and databases, over HTTP, from the first archive to the last deletion: the same
 * program for every runtime, and `more` where there is more to see. Call it within a `describe`.
 */
export function runWholePlatform<W extends World>(open: () => Promise<W>, more: Steps<W> = {}): void {
  let world: W | undefined;
  let scene: Scene<W> | undefined;
  beforeAll(async () => {
    world = await open();
    scene = await openScene(world);
  }, 900_000);
  afterAll(() => world?.[Symbol.asyncDispose]());
  it.each(Object.entries({ ...steps, ...more, ...lastSteps }))(
    '%s',
    async (_name, step) => {
      expect.hasAssertions();
      await step(scene!);
    },
    300_000,
  );
}
