import type { EndpointName } from '@lilac/contract/endpoints';
import type { Handlers } from '../http/handler.ts';
import type { WatchHandlers } from '../wire/api.ts';

/** Which handlers were called, and how often: what is refused on the way to them is not among it. */
export interface HandlerReach {
  /** For `startApi`. */
  watch: WatchHandlers;
  timesOf(name: EndpointName): number;
}

type AnyHandler = (context: unknown) => unknown;

export function createHandlerReach(): HandlerReach {
  const times = new Map<string, number>();
  const counted =
    (name: string, handle: AnyHandler): AnyHandler =>
    (context) => {
      times.set(name, (times.get(name) ?? 0) + 1);
      return handle(context);
    };
  return {
    watch: (handlers) =>
      Object.fromEntries(
        Object.entries(handlers).map(([name, handle]) => [name, counted(name, handle as AnyHandler)]),
      ) as unknown as Handlers,
    timesOf: (name) => times.get(name) ?? 0,
  };
}
