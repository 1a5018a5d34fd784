import { join } from 'node:path';
import type { OutputPart, OutputPosition } from '../runtime.ts';
import { readBootId } from '../held/instance-record.ts';
import {
  listOutputFolders,
  makeOutputFolder,
  outputFilesOf,
  readAbout,
  removeOutputFolder,
  streamNames,
  sweepOutputFolders,
  type OutputLabels,
  type StreamName,
} from './output-files.ts';
import { OutputStream } from './output-stream.ts';
import { tailStreams } from './output-tail.ts';

interface KeptOutput {
  labels: OutputLabels;
  streams: Record<StreamName, OutputStream>;
}

export interface OutputsDeps {
  root: string;
  log: { error(fields: { err: unknown; instance: string }, message: string): void };
}

const TRIM_MS = 500;

/** What the instances of this machine wrote, each in a folder of its own that outlives it. */
export class InstanceOutputs {
  readonly #root: string;
  readonly #log: OutputsDeps['log'];
  readonly #kept = new Map<string, KeptOutput>();
  #timer: NodeJS.Timeout | undefined;

  constructor({ root, log }: OutputsDeps) {
    this.#root = root;
    this.#log = log;
  }

  open(): void {
    sweepOutputFolders(this.#root);
  }

  /** The folder that it may write into. */
  make(labels: OutputLabels): string {
    return makeOutputFolder(this.#root, labels);
  }

  list(): OutputLabels[] {
    const names = new Set(listOutputFolders(this.#root));
    for (const id of this.#kept.keys()) if (!names.has(id)) this.#kept.delete(id);
    return [...names].flatMap((id) => this.#find(id)?.labels ?? []);
  }

  read(id: string, from: OutputPosition, maxBytes: number): OutputPart {
    const kept = this.#find(id);
    if (!kept) return nothing(from);
    const [stdout, stderr] = streamNames.map((name) => kept.streams[name].read(from[name], maxBytes));
    return {
      stdout: stdout!.bytes,
      stderr: stderr!.bytes,
      position: { stdout: stdout!.position, stderr: stderr!.position },
      lostBytes: stdout!.lostBytes + stderr!.lostBytes,
      unreadBytes: { stdout: stdout!.unreadBytes, stderr: stderr!.unreadBytes },
      writtenAt: { stdout: stdout!.writtenAt, stderr: stderr!.writtenAt },
    };
  }

  release(id: string, before: OutputPosition): void {
    const kept = this.#find(id);
    for (const name of streamNames) kept?.streams[name].release(before[name]);
  }

  tail(id: string, count: number): string[] {
    const kept = this.#find(id);
    return kept ? tailStreams(join(this.#root, id), kept.streams, count) : [];
  }

  forget(id: string): void {
    this.#kept.delete(id);
    removeOutputFolder(this.#root, id);
  }

  /** In the background, until it is told to end: nothing that is written, read or ended waits for it. */
  keepTrimmed(): void {
    this.#timer ??= setInterval(() => this.list().forEach(({ instanceId }) => void this.trim(instanceId)), TRIM_MS);
    this.#timer.unref();
  }

  endTrimming(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Gives back to the disk what is not wanted any more of its output. */
  async trim(id: string): Promise<void> {
    const streams = Object.values(this.#find(id)?.streams ?? {});
    const results = await Promise.allSettled(streams.map((stream) => stream.trim()));
    for (const result of results) {
      if (result.status === 'fulfilled') continue;
      this.#log.error({ err: result.reason, instance: id }, 'room of its output cannot be given back');
    }
  }

  #find(id: string): KeptOutput | undefined {
    const known = this.#kept.get(id);
    if (known) return known;
    const folder = join(this.#root, id);
    const about = readAbout(folder);
    if (!about) return undefined;
    const { bootId, ...labels } = about;
    const { stdout, stderr } = outputFilesOf(folder);
    const options = { isOfThisBoot: bootId === readBootId() };
    const streams = { stdout: new OutputStream(stdout, options), stderr: new OutputStream(stderr, options) };
    const kept = { labels, streams };
    this.#kept.set(id, kept);
    return kept;
  }
}

const nothing = (position: OutputPosition): OutputPart => ({
  stdout: Buffer.alloc(0),
  stderr: Buffer.alloc(0),
  position,
  lostBytes: 0,
  unreadBytes: { stdout: 0, stderr: 0 },
  writtenAt: { stdout: new Date(0), stderr: new Date(0) },
});
