import type { Scene } from '../scene.ts';
import type { StorePeek } from '../peek-store.ts';

/** Something that must never be. */
export interface Problem {
  invariant: string;
  /** What it is about, as the events name it. */
  about: string;
  what: string;
}

export interface Check {
  scene: Scene;
  peek: StorePeek;
}

/** Nothing where all is well. */
export type Invariant = (check: Check) => Promise<Problem[]>;
