import { vitals } from '../../lib/vitals.ts';
import type { Gates } from '../instances/gates.ts';
import type { Traffic } from './traffic.ts';

/** By the first digit of the status. */
const CLASSES = ['gone', '1xx', '2xx', '3xx', '4xx', '5xx'] as const;

/** What an edge does for all applications together; what each of them asks for is in its own metrics. */
export function addTrafficVitals(traffic: Traffic, gates: Pick<Gates, 'held'>): void {
  const requests = 'Requests to applications, by status; gone: clients that did not wait for the answer.';
  for (const [digit, status] of CLASSES.entries()) {
    vitals.read('counter', 'lilac_edge_requests_total', requests, () => traffic.totals().answers[digit]!, { status });
  }
  const [bytesIn, bytesOut] = ['Bytes of requests to applications.', 'Bytes of answers of applications.'];
  vitals.read('counter', 'lilac_edge_received_bytes_total', bytesIn, () => traffic.totals().bytesIn);
  vitals.read('counter', 'lilac_edge_sent_bytes_total', bytesOut, () => traffic.totals().bytesOut);
  vitals.read('gauge', 'lilac_edge_held_requests', 'Requests that wait for an instance.', () => gates.held);
}
