import { createReadStream } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setImmediate as breathe } from 'node:timers/promises';

const LINES_PER_WRITE = 1000;

export interface LineFile<Item> {
  head: unknown;
  items: Item[];
}

/**
 * A head, and then items, one a line; each is taken as soon as it is read, so that they are not in memory twice. Null
 * when there is no such file, or not a whole one.
 */
export async function readLineFile<Item>(
  path: string,
  take: (item: unknown, head: unknown) => Item,
): Promise<LineFile<Item> | null> {
  const input = createReadStream(path);
  try {
    let head: { count: number } | null = null;
    const items: Item[] = [];
    for await (const line of createInterface({ input, crlfDelay: Infinity })) {
      if (head) items.push(take(JSON.parse(line), head));
      else head = JSON.parse(line) as { count: number };
    }
    return head?.count === items.length ? { head, items } : null;
  } catch {
    return null;
  } finally {
    input.destroy();
  }
}

/**
 * A thousand lines at a time with pauses between, since requests are served meanwhile. The old file is replaced when
 * the new one is whole and on disk. What edges know is secret: nobody else may read it. One writes at a time, so what
 * one who was killed had begun is written over by the next, and is not left.
 */
export async function writeLineFile(path: string, head: object, items: readonly object[]): Promise<void> {
  const draft = `${path}.new`;
  const file = await open(draft, 'w', 0o600);
  try {
    await file.write(`${JSON.stringify({ ...head, count: items.length })}\n`);
    for (let at = 0; at < items.length; at += LINES_PER_WRITE) {
      const lines = items.slice(at, at + LINES_PER_WRITE).map((item) => `${JSON.stringify(item)}\n`);
      await file.write(lines.join(''));
      await breathe();
    }
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
}
