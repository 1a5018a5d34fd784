import Docker from 'dockerode';

/** An engine that says nothing for so long, or never comes to an end of what it says, does not answer. */
const SILENCE_MS = 60_000;

/** How an answer is asked for, as far as it matters how long that may take. */
interface Dialled {
  path: string;
  isStream?: boolean;
  hijack?: boolean;
  openStdin?: boolean;
  options?: { size?: unknown; abortSignal?: AbortSignal } | undefined;
  abortSignal?: AbortSignal | undefined;
}

type Answer = (error: Error | null, result: unknown) => void;

/**
 * An engine, by its socket; nothing is asked of it yet. What it does not answer in time is given up, as if it were away:
 * otherwise whoever asked would wait for ever. What it sends bit by bit (events, builds, images) may take any time, and
 * so may what it has to measure.
 */
export function engineClient(socketPath: string, silenceMs = SILENCE_MS): Docker {
  const docker = new Docker({ socketPath });
  const modem = docker.modem as { dial(dialled: Dialled, answer: Answer): void };
  const dial = modem.dial.bind(modem);
  modem.dial = (dialled, answer) => {
    if (mayTakeLong(dialled)) return dial(dialled, answer);
    const silence = new AbortController();
    let isOver = false;
    const end: Answer = (error, result) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      answer(error, result);
    };
    // An answer that has begun and does not go on is told to nobody by the client itself.
    const timer = setTimeout(() => {
      end(new EngineSilent(silenceMs), null);
      silence.abort();
    }, silenceMs);
    const given = dialled.abortSignal ?? dialled.options?.abortSignal;
    const abortSignal = given ? AbortSignal.any([given, silence.signal]) : silence.signal;
    dial({ ...dialled, abortSignal }, end);
  };
  return docker;
}

/** All of its sort of which there may be many megabytes, or which wait for what happens, are streams. */
const mayTakeLong = ({ isStream, hijack, openStdin, path, options }: Dialled): boolean =>
  Boolean(isStream || hijack || openStdin || options?.size) || /\/wait\b/.test(path);

/** As what the system says of a connection that nobody answers. */
export class EngineSilent extends Error {
  readonly code = 'ETIMEDOUT';

  constructor(afterMs: number) {
    super(`the engine of Docker has not answered for ${Math.round(afterMs / 1000)} s`);
  }
}
