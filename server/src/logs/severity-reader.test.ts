import type { Severity } from '@lilac/contract/states';
import { describe, expect, it } from 'vitest';
import { SeverityReader } from './severity-reader.ts';

function read(stream: 'stdout' | 'stderr', text: string): Severity[] {
  const reader = new SeverityReader(stream);
  return text.split('\n').map((line) => reader.read(line));
}

/** How often each comes in a row: `ERROR 3, INFO 1`. */
function runs(severities: readonly Severity[]): string {
  const found: [Severity, number][] = [];
  for (const severity of severities) {
    const last = found.at(-1);
    if (last?.[0] === severity) last[1]++;
    else found.push([severity, 1]);
  }
  return found.map(([severity, count]) => `${severity} ${count}`).join(', ');
}

const javaTrace = `2026-01-01 12:00:00 INFO started
2026-01-01 12:00:01 ERROR no
java.lang.IllegalStateException: no
\tat com.example.Foo.bar(Foo.java:10)
\tat com.example.Main.main(Main.java:3)
Caused by: java.io.IOException: gone
\tat com.example.Io.read(Io.java:1)
\t... 12 more
... 3 more
2026-01-01 12:00:02 INFO on`;

const pythonTrace = `INFO:root:begins
ERROR:root:no
Traceback (most recent call last):
  File "app.py", line 3, in main
    logging.info("INFO: this is code")
  File "app.py", line 5, in other
    raise KeyError(1)
KeyError: 1

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "app.py", line 9, in main
    INFO = 1
app.Odd
INFO:root:on`;

const goTrace = `listening
panic: runtime error: index out of range [1] with length 0

goroutine 1 [running]:
main.handle(...)
\t/app/main.go:10
main.main()
\t/app/main.go:5 +0x1d
created by net/http.(*Server).Serve in goroutine 1
\t/usr/lib/go/src/net/http/server.go:3285 +0x4b4
exit status 2
listening`;

const nodeTrace = `listening
Error: no
    at handle (/app/index.js:3:9)
    at run (/app/index.js:9:1) {
  code: 'E_NO',
  [cause]: Error: gone
      at read (/app/io.js:1:1)
}
listening`;

const rustTrace = `listening
thread 'main' panicked at src/main.rs:2:5:
index out of bounds: the len is 0
stack backtrace:
   0: rust_begin_unwind
             at /rustc/library/std/src/panicking.rs:1:5
note: Some details are omitted, run with \`RUST_BACKTRACE=full\` for a verbose backtrace.
listening`;

const sqlError = `2026-11-15 12:00:00.000 UTC [81] ERROR:  no
    SELECT 1
    WHERE 2
   INFO on`;

describe('lines that belong together', () => {
  it.each([
    ['Java', javaTrace, 'INFO 1, ERROR 8, INFO 1'],
    ['Python', pythonTrace, 'INFO 1, ERROR 14, INFO 1'],
    ['Go', goTrace, 'INFO 1, FATAL 10, INFO 1'],
    ['Node', nodeTrace, 'INFO 1, ERROR 7, INFO 1'],
    ['Rust', rustTrace, 'INFO 1, FATAL 6, INFO 1'],
    ['a statement', sqlError, 'ERROR 3, INFO 1'],
  ])('have one severity: a trace of %s', (_language, text, expected) => {
    expect(runs(read('stdout', text))).toBe(expected);
  });

  it('keep what the first one says, on whatever stream', () => {
    expect(runs(read('stderr', 'INFO: settings\n  port: 3000\n\n  error: false\nready'))).toBe('INFO 4, WARN 1');
    expect(runs(read('stderr', 'what is this\n    at somewhere\nWARN no\n  more'))).toBe('WARN 4');
  });

  it('are not those that are only indented: a level set to the right begins a line of its own', () => {
    expect(read('stdout', 'ready\n \u001b[31m⨯\u001b[39m Error: no\n    at f\n ✓ Ready')).toEqual([
      'INFO',
      'ERROR',
      'ERROR',
      'INFO',
    ]);
    expect(read('stdout', 'ERROR no\n INFO yes\n  WARN hm\n  2026-01-01T12:00:00Z  INFO app: yes')).toEqual([
      'ERROR',
      'INFO',
      'WARN',
      'INFO',
    ]);
  });

  it('end where something else begins', () => {
    expect(read('stdout', 'Traceback (most recent call last):\n  File "a"\nKeyError: 1\nnext')).toEqual([
      'ERROR',
      'ERROR',
      'ERROR',
      'INFO',
    ]);
    expect(read('stdout', 'goroutine 7 [chan receive]:\nThe end.')).toEqual(['ERROR', 'INFO']);
  });

  it('begin with the stream when nothing came before', () => {
    expect([read('stdout', '  x'), read('stderr', '  x'), read('stderr', '')]).toEqual([['INFO'], ['WARN'], ['WARN']]);
  });
});
