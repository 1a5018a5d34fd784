import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findProgram } from '../../lib/find-program.ts';
import { canFilterCalls } from '../../sandbox/detect-isolation.ts';
import { callNumbers } from '../../sandbox/seccomp/system-calls.ts';
import { openInstanceBench, type InstanceBench } from './testing/instance-bench.ts';

let bench: InstanceBench;
beforeAll(async () => {
  bench = await openInstanceBench();
});
afterAll(() => bench[Symbol.asyncDispose]());

const numbers = callNumbers[process.arch];
const perl = findProgram(['perl'], '/usr/bin');
const go = findProgram(['go'], '/usr/local/go/bin:/usr/lib/go/bin:/usr/bin');

const call = (number: number, ...args: number[]) =>
  `perl -e '$! = 0; syscall(${[number, ...args, 0, 0, 0].join(', ')}); print $! + 0, "\\n"'`;

describe.runIf(canFilterCalls() && numbers)('the filter of system calls, in a real instance', () => {
  it.runIf(perl)('refuses what no server needs, whatever the arguments', async () => {
    const { refused, unshare, clone3 } = numbers!;
    const calls = Object.values(refused);
    const lines = await bench.linesOf(
      [...calls.map((number) => call(number)), call(unshare, 0x10000000), call(clone3)].join('\n'),
    );
    expect(lines).toEqual([...calls.map(() => '1'), '1', '38']);
  });

  it.runIf(perl)('refuses leases, room on the disk that nothing is written to, and strange sockets', async () => {
    const { unsupported, ioctl, fcntl, socket } = numbers!;
    const reserve = 0x4030582a;
    const lines = await bench.linesOf(
      [
        ...Object.values(unsupported).map((number) => call(number)),
        call(ioctl, 1, reserve),
        call(fcntl, 1, 1024, 1),
        call(socket, 40, 1),
        call(socket, 2, 1),
      ].join('\n'),
    );
    expect(lines).toEqual([...Object.values(unsupported).map(() => '95'), '95', '1', '97', '0']);
  });

  it.runIf(findProgram(['python3'], '/usr/bin'))(
    'leaves programs a way to make room in files of their own',
    async () => {
      const script = `import os; f = os.open("/tmp/x", os.O_RDWR | os.O_CREAT); os.posix_fallocate(f, 0, 100000); print(os.fstat(f).st_size)`;
      expect(await bench.linesOf(`/usr/bin/python3 -c '${script}'`)).toEqual(['100000']);
    },
  );

  it('Node runs under it: threads, children, files, timers', async () => {
    const script = `
      const { Worker } = require('node:worker_threads');
      const { execFileSync } = require('node:child_process');
      require('node:fs').writeFileSync('/tmp/x', execFileSync('echo', ['child']));
      new Worker('require("node:worker_threads").parentPort.postMessage(1)', { eval: true })
        .on('message', () => console.log(String(require('node:fs').readFileSync('/tmp/x')).trim()));`;
    const packed = await bench.subject.pack({ 'main.js': script });
    expect(await bench.linesOf('node main.js', packed)).toEqual(['child']);
  });

  it.runIf(findProgram(['python3'], '/usr/bin'))('Python runs under it: threads, processes, subprocesses', async () => {
    const script = `
import threading, subprocess, multiprocessing
t = threading.Thread(target=print, args=("thread",), kwargs={"flush": True}); t.start(); t.join()
p = multiprocessing.Process(target=print, args=("process",), kwargs={"flush": True}); p.start(); p.join()
print(subprocess.check_output(["echo", "child"]).decode().strip(), flush=True)`;
    const packed = await bench.subject.pack({ 'main.py': script });
    expect(await bench.linesOf('/usr/bin/python3 main.py', packed)).toEqual(['thread', 'process', 'child']);
  });

  it.runIf(go)('Go programs run under it: goroutines and threads of their own', async () => {
    const packed = await bench.subject.pack({ 'main.go': 'package   main\n' });
    const gofmt = join(dirname(realpathSync(go!)), 'gofmt');
    expect(await bench.linesOf(`${realpathSync(go!)} env GOOS; ${gofmt} main.go`, packed)).toEqual([
      'linux',
      'package main',
    ]);
  });
});
