/**
 * How the instances of a deployment are run: plain data, kept with the deployment, so that an instance
 * that is started months later, or after a rollback, runs as it did on the first day.
 */
export interface RunSpec {
  /** Shell text, run in the sandbox only. */
  startCommand: string;
  /** Where it is run, relative to the slug's root; `''` is the root itself. */
  workDirectory: string;
  /** What is given as PORT, and where the instance is reached. */
  port: number;
  /** False: nobody has seen yet that it listens there; it may turn out to listen elsewhere. */
  isPortKnown: boolean;
  /** What it runs on, exactly: `{ node: '24.21.0' }`. What is not here comes with the slug or the system. */
  tools: Readonly<Record<string, string>>;
  /** What the framework wants to find when it runs; the environment's own variables win. */
  variables: Readonly<Record<string, string>>;
  /** It is an image that an engine built of a Dockerfile, and no tree; absent otherwise. */
  image?: {
    /** `startCommand` only tells people what the image starts by itself; false: it takes the place of that. */
    isCommandItsOwn: boolean;
  };
  memoryMb: number;
  cpus: number;
  /** Requests that one instance is given at a time. */
  concurrency: number;
  /** Percent of its processor time beyond which another instance is started. */
  cpuTarget: number;
}
