import type { InstanceNetwork } from './instance-network-file.ts';

/**
 * Runs the instances of applications. An instance is a tree of processes that serves HTTP on one port,
 * and it belongs to nobody's process: whoever started it may be gone, and the next one finds it by
 * `list`. `conformance.ts` holds every implementation to these comments.
 */
export interface Runtime {
  /**
   * Starts one instance and resolves as soon as its address is certain: it need not listen yet, or ever.
   * Rejects with `StartRefused` when this host cannot run it. Asked twice for the same id, it starts one.
   */
  start(spec: InstanceSpec): Promise<InstanceAddress>;
  /**
   * Asks the processes to end (SIGTERM), and ends them after the grace. Resolves when the last one is gone
   * and nothing is left: no process, mount, control group, network or file, but for its output, which is there
   * until `forgetOutput`. Harmless for one that is not there.
   */
  stop(instanceId: string, options: { graceMs: number }): Promise<void>;
  /** Everything on this host: also what an earlier process started, and what has ended and was not stopped. */
  list(): Promise<Instance[]>;
  /** Of those that run; whoever is on a machine that does not answer soon is left out meanwhile. */
  usage(): Promise<ReadonlyMap<string, Usage>>;
  /** The ports it listens on, as others can reach them. */
  listeners(instanceId: string): Promise<Listener[]>;
  /** The last lines of its output, both streams, the oldest first. Empty when there is none, or no such instance. */
  tail(instanceId: string, count: number): Promise<string[]>;
  /** Everything on this host that has output: instances, and those that were stopped until theirs is forgotten. */
  outputs(): Promise<InstanceOutput[]>;
  /**
   * What it wrote from the position on, at most so many bytes of each stream. Bytes are given once they are
   * there, whole lines or not. Empty at the end, and for what is not there.
   */
  readOutput(instanceId: string, from: OutputPosition, maxBytes: number): Promise<OutputPart>;
  /** What is before the position need not be kept, but for what `tail` may want. */
  releaseOutput(instanceId: string, before: OutputPosition): Promise<void>;
  /** Removes the output of one that was stopped. Harmless for what is not there; refused for what was not stopped. */
  forgetOutput(instanceId: string): Promise<void>;
  /**
   * Tells once of every instance that ends by itself, also of one that was adopted; what had ended before `open`
   * is in `list` only. Returns how to stop listening.
   */
  onExit(listener: (exit: InstanceExit) => void): () => void;
  /**
   * Which instances reach which databases, from now on and over restarts, until it is told otherwise. Where instances
   * are on many machines whoever drives them is told before `open`, and of the databases' machine too (`host`; left
   * out: this one), and of all addresses that machines of the platform have, at which nothing else is for instances.
   * Where instances share the machine's network everybody reaches all; `isolation` says so.
   */
  setDoors(doors: readonly DatabaseDoor[], host?: string, machines?: readonly string[]): Promise<void>;
  /** Where instances stand, and find this machine; it is written down for the platform's other processes. */
  network(): Promise<InstanceNetwork>;
  /** How well instances are kept apart here, for `doctor`, the start banner and the console. */
  isolation(): Promise<RuntimeIsolation>;
  /** Finds what is running and begins to watch it; removes what belongs to nothing. Before anything else. */
  open(): Promise<void>;
  /** Stops watching. Instances run on. */
  close(): Promise<void>;
}

export interface InstanceSpec {
  /** Of `[a-z0-9_]`. */
  id: string;
  organisationId: string;
  environmentId: string;
  deploymentId: string;
  /** The tree it runs in: a packed artifact in the object store, by the hash of its bytes. */
  slug: { artifactId: string; hash: string };
  /**
   * The artifact is an image of a Dockerfile, and no tree; absent otherwise. Its own command is run where nobody set
   * one.
   */
  image?: { isCommandItsOwn: boolean };
  /** Shell text, run in the instance only. */
  command: string;
  /** Relative to the slug's root. */
  workDirectory: string;
  /** The whole environment but for what only the runtime knows (PATH, HOME, PORT), byte for byte. Never in an argv. */
  env: Readonly<Record<string, string>>;
  /** Where it should listen. Where networks are shared, another one is given; `PORT` says which. */
  port: number;
  /** What it runs on: `{ node: '24.21.0' }`. */
  tools: Readonly<Record<string, string>>;
  memoryMb: number;
  cpus: number;
}

export interface InstanceAddress {
  host: string;
  port: number;
}

export interface Instance extends InstanceAddress {
  id: string;
  organisationId: string;
  environmentId: string;
  deploymentId: string;
  startedAt: Date;
  /** Null while it runs. */
  exit: Exit | null;
}

export interface Exit {
  /** Null where it was ended by a signal, or nobody knows. */
  exitCode: number | null;
  isOutOfMemory: boolean;
  /** Its machine was lost, or is used no more, and the program did nothing to end; absent otherwise. */
  isMachineLost?: true;
}

export interface InstanceExit extends Exit {
  instanceId: string;
  environmentId: string;
}

/** Where a reader is in each stream: bytes from the very beginning, whatever was released since. */
export interface OutputPosition {
  stdout: number;
  stderr: number;
}

export interface InstanceOutput {
  instanceId: string;
  organisationId: string;
  environmentId: string;
  deploymentId: string;
  /** Nothing more will be written. */
  isOver: boolean;
  /** Nobody will ask for its last lines: the output is there only for whoever has not read it yet. */
  isStopped: boolean;
}

export interface OutputPart {
  stdout: Buffer;
  stderr: Buffer;
  /** Behind the last byte of each. */
  position: OutputPosition;
  /** Bytes that are gone: nobody read them in time, or the instance itself took them back. */
  lostBytes: number;
  /** How much more there is of each. */
  unreadBytes: OutputPosition;
  /** When the last byte of each was written, whether it is among these or not. */
  writtenAt: { stdout: Date; stderr: Date };
}

export interface Usage {
  /** Processor time since its start. */
  cpuSeconds: number;
  memoryBytes: number;
  /** How many processors it may use, once it has started. */
  cpus: number;
}

export interface Listener {
  port: number;
  /** Only the instance itself reaches it: it listens on 127.0.0.1. */
  isLocal: boolean;
}

/** A port at which a database listens, on the machine of the databases. */
export interface DatabaseDoor {
  port: number;
  /** Only its instances may come; null: every instance. */
  organisationId: string | null;
  /** Other machines and builds may not. */
  isPrivate: boolean;
}

export interface RuntimeIsolation {
  /** `sandbox`, `docker` or `swarm`. */
  name: string;
  /** What is lacking, a sentence each; none where everything holds. */
  lacking: readonly string[];
}

/** This host cannot run it; the message tells a person why. */
export class StartRefused extends Error {}
