import { randomInt } from 'node:crypto';
import { hostname } from 'node:os';
import { sha256 } from '../lib/hash.ts';
import { addTraffic, addUsage, type MinuteRow, type TrafficFigures, type UsageFigures } from './minute-row.ts';

export interface BookLimits {
  /** How far back rows are kept that could not be written yet, and how many of them. */
  minutes: number;
  rows: number;
}

const LIMITS: BookLimits = { minutes: 60, rows: 20_000 };
const PROCESSES = 2 ** 32;

/** What a process has counted and not written yet, a minute at a time. A row is whole: written again, it says all. */
export class MinuteBook {
  readonly #limits: BookLimits;
  #source = newSource();
  #minute = 0;
  /** Of the running minute, by environment. */
  #rows = new Map<string, MinuteRow>();
  /** Those that are not in the store as they are, the oldest first. */
  readonly #changed = new Set<MinuteRow>();

  constructor(limits: BookLimits = LIMITS) {
    this.#limits = limits;
  }

  addTraffic(minute: number, environmentId: string, figures: TrafficFigures): void {
    const row = this.#rowOf(minute, environmentId);
    row.traffic = addTraffic(row.traffic, figures);
  }

  addUsage(minute: number, environmentId: string, figures: UsageFigures): void {
    const row = this.#rowOf(minute, environmentId);
    row.usage = addUsage(row.usage, figures);
  }

  /** They are to be written now. */
  takeChanged(): MinuteRow[] {
    const rows = [...this.#changed];
    this.#changed.clear();
    return rows;
  }

  /** They could not be written, and are kept for later. Returns how many were too many for that. */
  giveBack(rows: readonly MinuteRow[]): number {
    const all = [...new Set([...rows, ...this.#changed])];
    const kept = all.filter(({ minute }) => minute > this.#minute - this.#limits.minutes).slice(-this.#limits.rows);
    this.#changed.clear();
    for (const row of kept) this.#changed.add(row);
    return all.length - kept.length;
  }

  #rowOf(minute: number, environmentId: string): MinuteRow {
    if (minute !== this.#minute) this.#begin(minute);
    const row = this.#rows.get(environmentId) ?? this.#newRow(minute, environmentId);
    this.#changed.add(row);
    return row;
  }

  #newRow(minute: number, environmentId: string): MinuteRow {
    const row: MinuteRow = { environmentId, minute, source: this.#source, traffic: null, usage: null };
    this.#rows.set(environmentId, row);
    return row;
  }

  /** Where the clock was set back, what was written of that minute must not be written over. */
  #begin(minute: number): void {
    if (minute < this.#minute) this.#source = newSource();
    this.#minute = minute;
    this.#rows = new Map();
  }
}

/**
 * No other process has the same, nor this one when it is started again. The machine can be told from it
 * (`source >> 32`): what two of its processes saw in the same minute, one after the other, are the same instances.
 */
function newSource(): string {
  return String(sha256(hostname()).readUInt16BE() * PROCESSES + randomInt(PROCESSES));
}
