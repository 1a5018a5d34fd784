import { openInstanceBench } from './instance-bench.ts';

/** A worker that begins to stop what it finds, with all the patience of the world. */
const [home = ''] = process.argv.slice(2);
const bench = await openInstanceBench({ home });
const [found] = await bench.runtime.list();
const stopping = bench.runtime.stop(found?.id ?? '', { graceMs: 600_000 });
console.log(found?.id);
await stopping;
