import type { Readable } from 'node:stream';

/** Makes images of Dockerfiles: an engine that the platform was given. */
export interface ImageMaker {
  /** What every image of an environment bears, so that it is found again, and shares no step with those of others. */
  labelsFor(environmentId: string): Readonly<Record<string, string>>;
  /** Looks whether anything can be built here at all. Rejects with `BuildFailed`. */
  prepare(): Promise<void>;
  /**
   * Sees that the engine has the image that is built on, and answers with what names this very image, whatever its name
   * will mean later. Rejects with `BuildFailed` where nobody may, or it is nowhere.
   */
  bring(name: string, work: Pick<ImageBuild, 'signal' | 'onLine'>): Promise<string>;
  /**
   * Builds, and keeps the image under the artifact's id. Rejects with `BuildFailed` where the project is at fault.
   * Whatever the end, no process of the build is left; where it failed, no image either.
   */
  build(request: ImageBuild): Promise<BuiltImage>;
  /** The whole image, as a tar that any engine can load. */
  save(artifactId: string, signal: AbortSignal): Promise<Readable>;
  /** Takes images away again. Harmless where there are none. */
  forget(artifactIds: readonly string[]): Promise<void>;
  /**
   * Takes away what killed processes left, images that nobody has built on for a day, and those of artifacts that are
   * no more; what is younger may be about to be packed.
   */
  sweep(listUnknown: (artifactIds: readonly string[]) => Promise<readonly string[]>, now?: number): Promise<void>;
}

export interface ImageBuild {
  artifactId: string;
  environmentId: string;
  /** A tar; whoever asks for the build destroys it. */
  context: Readable;
  /** The Dockerfile in it. */
  dockerfile: string;
  args: Readonly<Record<string, string>>;
  limits: {
    memoryMb: number;
    cpus: number;
    /** What it may write; as other builds, where it is left out. */ maxBytes?: number;
  };
  signal: AbortSignal;
  /** The step of the Dockerfile that begins, from 0. */
  onStep(index: number): void;
  onLine(line: string): void;
}

/** What an image says of itself. */
export interface BuiltImage {
  layerCount: number;
  /** The ports it names, the lowest first. */
  ports: readonly number[];
  /** What it starts: its entry point and command together. */
  command: readonly string[];
  env: Readonly<Record<string, string>>;
}
