import { createBreather } from '../../../lib/breather.ts';
import { LineSplitter } from '../../../sandbox/split-lines.ts';
import { EngineFailed, readEvents } from './engine-stream.ts';

export interface BuildFollower {
  onStep(index: number): void;
  onLine(line: string): void;
}

const STEP = /^Step (\d+)\/\d+ : /;
/** What the engine says about itself. */
const NOISE = /^( ---> |Removing intermediate container |Successfully (built|tagged) |$)/;

/** Hears a build to its end. Rejects with `EngineFailed` where it did not succeed. */
export async function followBuild(stream: NodeJS.ReadableStream, follower: BuildFollower): Promise<void> {
  const lines = new LineSplitter();
  const breathe = createBreather();
  const tell = async (told: readonly string[]): Promise<void> => {
    for (const line of told) {
      const step = STEP.exec(line)?.[1];
      if (step !== undefined) follower.onStep(Number(step) - 1);
      else if (!NOISE.test(line)) follower.onLine(line);
      await breathe();
    }
  };
  for await (const event of readEvents(stream)) {
    if (event.error !== undefined) {
      await tell(lines.end());
      throw new EngineFailed(event);
    }
    if (event.stream !== undefined) await tell(lines.push(Buffer.from(uncoloured(event.stream))));
  }
  await tell(lines.end());
}

/** The engine prints in red what a command says on its second stream: that is no news, and would part lines. */
function uncoloured(text: string): string {
  const isRed = text.startsWith(RED) && text.endsWith(PLAIN);
  return isRed ? text.slice(RED.length, -PLAIN.length) : text;
}

const [RED, PLAIN] = ['\u001B[91m', '\u001B[0m'];
