import type { Readable } from 'node:stream';

/** Makes images of Dockerfiles: an engine that the platform was given. */
export interface ImageMaker {
  /** What every image of an environment bears, so that it is found again, and shares no step with those of others. */
  labelsFor(environmentId: string): Readonly<Record<string, string>>;
  /** Sees that the engine has the image that is built on. Rejects with `BuildFailed` where nobody may, or it is nowhere. */
  bring(name: string, signal: AbortSignal): Promise<BaseImage>;
  /**
   * Builds, and keeps the image under the artifact's id. Rejects with `BuildFailed` where the project is at fault.
   * Whatever the end, no process of the build is left; where it failed, no image either.
   */
  build(request: ImageBuild): Promise<BuiltImage>;
  /** The whole image, as a tar that any engine can load. */
  save(artifactId: string, signal: AbortSignal): Promise<Readable>;
  /** Takes images away again. Harmless where there are none. */
  forget(artifactIds: readonly string[]): Promise<void>;
  /** Takes away what killed processes left, and the images of artifacts that are no more. */
  sweep(listUnknown: (artifactIds: readonly string[]) => Promise<readonly string[]>): Promise<void>;
}

export interface BaseImage {
  /** Names this very image, whatever its name will mean later. */
  id: string;
  /** What whoever builds on it is made to do. */
  onBuild: readonly string[];
}

export interface ImageBuild {
  artifactId: string;
  environmentId: string;
  /** A tar. */
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
