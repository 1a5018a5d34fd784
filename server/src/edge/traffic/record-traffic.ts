import type { MinuteBook } from '../../metrics/minute-book.ts';
import { PLATFORM } from '../../metrics/minute-row.ts';
import type { Traffic } from './traffic.ts';

/** Brings what an edge has counted since the last time into its book. That it watched at all is in there too. */
export function createTrafficRecorder(traffic: Traffic, book: MinuteBook): (minute: number) => void {
  let latest = 0;
  return (minute) => {
    const all = { requests: 0, bytesIn: 0, bytesOut: 0, latencies: null };
    traffic.drain(({ environmentId, requests, bytesIn, bytesOut, latencies }) => {
      book.addTraffic(minute, environmentId, { requests, bytesIn, bytesOut, latencies });
      all.requests += requests;
      all.bytesIn += bytesIn;
      all.bytesOut += bytesOut;
    });
    book.addTraffic(minute, PLATFORM, all);
    if (minute !== latest) traffic.forgetQuiet();
    latest = minute;
  };
}
