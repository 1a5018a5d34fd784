import { describe, expect, it } from 'vitest';
import { readConfig } from '../../config.ts';
import { lackOfRoom, type Waiting } from './room-for-uploads.ts';

const GIBIBYTE = 1024 ** 3;
const config = readConfig({ LILAC_UPLOAD_MAX_BYTES: String(GIBIBYTE), LILAC_IMPORT_MAX_BYTES: String(10 * GIBIBYTE) });

const zip = 'application/zip';
const dump = 'application/sql';
const reserved = (type: string, announced: number | null): Waiting => ({
  status: 'reserved',
  content_type: type,
  announced_size: announced,
  size: null,
  completed_at: null,
});
const ready = (type: string, size: number): Waiting => ({
  ...reserved(type, size + 1),
  status: 'ready',
  size,
  completed_at: new Date('2026-01-02T03:04:05.000Z'),
});
const times = (count: number, upload: Waiting) => Array.from({ length: count }, () => upload);
const wanted = (type: string, announced: number | null) => ({ content_type: type, announced_size: announced });
const isRefused = (waiting: Waiting[], ...said: Parameters<typeof wanted>) =>
  lackOfRoom(waiting, wanted(...said), config) !== null;

describe('the room for the uploads of an organisation', () => {
  it('is so many that are not complete, and so many in all', () => {
    expect(isRefused(times(19, reserved(zip, 1)), zip, 1)).toBe(false);
    expect(isRefused(times(20, reserved(zip, 1)), zip, 1)).toBe(true);
    expect(isRefused(times(49, ready(zip, 1)), zip, 1)).toBe(false);
    expect(isRefused(times(50, ready(zip, 1)), zip, 1)).toBe(true);
    expect(isRefused([...times(31, ready(zip, 1)), ...times(19, reserved(zip, 1))], zip, 1)).toBe(true);
  });

  it('is so many bytes: what came, else what was said, else the most that can come', () => {
    expect(isRefused(times(4, ready(zip, GIBIBYTE)), zip, GIBIBYTE)).toBe(false);
    expect(isRefused(times(4, ready(zip, GIBIBYTE)), zip, null)).toBe(false);
    expect(isRefused([...times(4, ready(zip, GIBIBYTE)), ready(zip, 1)], zip, GIBIBYTE)).toBe(true);
    expect(isRefused([...times(4, reserved(zip, GIBIBYTE)), ready(zip, 1)], zip, null)).toBe(true);
    expect(isRefused(times(5, reserved(zip, null)), zip, 1)).toBe(true);
  });

  it('is also taken by what was discarded and may still come, by its bytes', () => {
    const discarded = (announced: number): Waiting => ({ ...reserved(zip, announced), status: 'expired' });
    expect(isRefused(times(60, discarded(1)), zip, 1)).toBe(false);
    expect(isRefused(times(5, discarded(GIBIBYTE)), zip, 1)).toBe(true);
    const { message } = lackOfRoom(times(5, discarded(GIBIBYTE)), wanted(zip, 1), config)!;
    expect(message).toMatch(/counts until its address expires/);
  });

  it('is another for dumps, of which two of the largest always have room', () => {
    expect(isRefused([ready(dump, 10 * GIBIBYTE)], dump, null)).toBe(false);
    expect(isRefused(times(2, ready(dump, 10 * GIBIBYTE)), dump, 1)).toBe(true);
    expect(isRefused(times(2, ready(dump, 10 * GIBIBYTE)), zip, null)).toBe(false);
    expect(isRefused(times(5, ready(zip, GIBIBYTE)), dump, null)).toBe(false);
  });

  it('is told of with what to do, and when there will be more', () => {
    const fault = lackOfRoom(times(5, ready(zip, GIBIBYTE)), wanted(zip, null), config);
    expect(fault).toMatchObject({ code: 'CF001' });
    expect(fault!.message).toMatch(/fileSize.*upload\/cleanup.*the first at 2026-01-03T03:04:05.000Z/);
    expect(lackOfRoom(times(5, reserved(zip, null)), wanted(zip, 1), config)!.message).not.toMatch(/fileSize|first at/);
  });
});
