import { openInstanceBench } from './instance-bench.ts';

/** A worker that starts instances in a home until it is killed: prints the id of each as soon as it is started. */
const [home = '', command = '', howMany = '1'] = process.argv.slice(2);
const bench = await openInstanceBench({ home });
for (let count = 0; count < Number(howMany); count++) console.log(await bench.start(command));
setInterval(() => {}, 1000);
