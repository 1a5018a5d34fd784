import fc from 'fast-check';
import type { Severity } from '@lilac/contract/states';
import { describe, expect, it } from 'vitest';
import { makeSafe } from './make-safe.ts';
import { parseSeverity, statedSeverity, usualSeverity, type OutputStream } from './severity.ts';

/** A line of its own. */
const severityOf = (message: string, stream: OutputStream) => statedSeverity(message) ?? usualSeverity(stream);
const red = (text: string) => `\u001b[31m${text}\u001b[0m`;

describe('the severity of a line', () => {
  it.each<[Severity, string]>([
    ['ERROR', '{"level":"error","msg":"no"}'],
    ['WARN', '{"msg":"x","severity":"WARNING"}'],
    ['DEBUG', '{"lvl":"trace"}'],
    ['INFO', '{"level":30,"time":1,"msg":"error"}'],
    ['ERROR', '{"level":50,"time":1}'],
    ['FATAL', '{"name":"x","hostname":"y","level":60}'],
    ['ERROR', '{"level":3,"short_message":"GELF"}'],
    ['ERROR', '{"context":{"level":"debug"},"level":"error"}'],
    ['ERROR', '{"log":{"level":"error"},"message":"ECS"}'],
    ['WARN', '{"log.level":"warn"}'],
    ['FATAL', '{"severity":"EMERGENCY","message":"Google"}'],
    ['ERROR', '{"level":"error","cut":"…'],
    ['ERROR', 'ERROR: no'],
    ['ERROR', 'error: no'],
    ['ERROR', 'Error: no'],
    ['ERROR', '[error] no'],
    ['ERROR', '[ERROR] no'],
    ['WARN', 'WARN no'],
    ['WARN', 'WARN  no'],
    ['WARN', 'warning: no'],
    ['WARN', 'level=warn msg="no"'],
    ['ERROR', 'time="2026-01-01T12:00:00Z" level=error msg="no"'],
    ['DEBUG', 'ts=2026-01-01T12:00:00Z caller=main.go:1 level=debug'],
    ['ERROR', 'E0102 12:00:00.123456       1 main.go:10] no'],
    ['INFO', 'I0102 12:00:00.123456       1 main.go:10] ERROR'],
    ['FATAL', 'F0102 12:00:00.123456       1 main.go:10] no'],
    ['ERROR', 'ERROR:root:no'],
    ['FATAL', 'CRITICAL:app.db:no'],
    ['ERROR', '2026-01-01 12:00:00 ERROR no'],
    ['ERROR', '2026-01-01 12:00:00,123 ERROR [main] c.e.Foo - no'],
    ['INFO', '2026-01-01T12:00:00.000+01:00  INFO 1234 --- [main] c.e.Foo : ERROR'],
    ['WARN', '12:00:00.123 [main] WARN com.example.Foo - no'],
    ['ERROR', '2026-01-01 12:00:00,123 - app.db - ERROR - no'],
    ['ERROR', '[2026-01-01T12:00:00Z ERROR crate::module] no'],
    ['ERROR', '[2026-01-01 12:00:00 +0000] [123] [ERROR] no'],
    ['ERROR', '2026/01/01 12:00:00 [error] 12#12: *1 open() failed'],
    ['ERROR', '[Wed Oct 11 14:32:52.123456 2000] [core:error] [pid 35708] no'],
    ['ERROR', '[2026-01-01 12:00:00] local.ERROR: no {"exception":1}'],
    ['ERROR', 'E, [2026-01-01T12:00:00.123456 #1234] ERROR -- : no'],
    ['ERROR', '2026-01-01T12:00:00.000Z\tERROR\tmain.go:1\tno'],
    ['ERROR', 'fail: Microsoft.AspNetCore.Server.Kestrel[13]'],
    ['INFO', 'info: Microsoft.Hosting.Lifetime[14]'],
    ['INFO', 'INFO:     127.0.0.1:1 - "GET /error HTTP/1.1" 500'],
    ['ERROR', '<3>no'],
    ['WARN', '<28>no'],
    ['DEBUG', '<7>no'],
    ['ERROR', `${red('ERROR')} no`],
    ['ERROR', `${red('')}[${red('error')}] no`],
    ['ERROR', `\u001b[2m2026-01-01T12:00:00Z\u001b[0m ${red('ERROR')} no`],
    ['INFO', '\u001b[32m{"level":"info"}\u001b[0m'],
    ['ERROR', 'TypeError: undefined is not a function'],
    ['ERROR', 'Error [ERR_MODULE_NOT_FOUND]: Cannot find'],
    ['ERROR', 'java.lang.IllegalStateException: no'],
    ['ERROR', 'Exception in thread "main" java.lang.Error'],
    ['ERROR', 'Traceback (most recent call last):'],
    ['FATAL', 'panic: runtime error: index out of range'],
    ['FATAL', 'PHP Fatal error:  Uncaught Exception'],
    ['WARN', '(node:12) DeprecationWarning: no'],
    ['WARN', 'npm warn deprecated x'],
    ['ERROR', 'npm ERR! code 1'],
    // Nest
    ['ERROR', '[Nest] 12  - 11/15/2026, 2:00:00 PM   ERROR [App] boom'],
    ['WARN', '[Nest] 12  - 11/15/2026, 2:00:00\u202fPM    WARN [App] boom'],
    ['INFO', '[Nest] 12  - 11/15/2026, 2:00:00 AM     LOG [App] ERROR'],
    [
      'ERROR',
      `\u001b[31m[Nest] 12  - \u001b[39m11/15/2026, 2:00:00 PM \u001b[31m  ERROR\u001b[39m \u001b[38;5;3m[App] \u001b[39mno`,
    ],
    // PostgreSQL
    ['ERROR', '2026-11-15 12:00:00.000 UTC [81] ERROR:  relation "x" does not exist'],
    ['FATAL', '2026-11-15 12:00:00.000 CET [81] app@shop FATAL:  password authentication failed'],
    ['INFO', '2026-11-15 12:00:00.000 GMT [1] LOG:  database system is ready'],
    // Rust
    ['FATAL', "thread 'main' panicked at src/main.rs:2:5:"],
    ['FATAL', "thread 'main' (1234) panicked at src/main.rs:2:5:"],
    ['ERROR', "thread 'tokio-runtime-worker' panicked at src/main.rs:2:5:"],
    ['ERROR', '2026-11-15T12:00:00.000000Z ERROR app: no'],
    ['ERROR', '[2026-11-15][12:00:00][app::db][ERROR] no'],
    // C and C++, and shells that ran them
    ['FATAL', 'Segmentation fault (core dumped)'],
    ['FATAL', '/app/start.sh: line 3:    12 Segmentation fault      (core dumped) ./server'],
    ['FATAL', 'Aborted (core dumped)'],
    ['FATAL', "terminate called after throwing an instance of 'std::runtime_error'"],
    // Python
    ['ERROR', 'Internal Server Error: /cart'],
    ['ERROR', '[2026-11-15 12:00:00,000] ERROR in app: Exception on / [GET]'],
    ['ERROR', '[2026-11-15 12:00:00 +0000] [7] [ERROR] Exception in worker process'],
    ['ERROR', '[2026-11-15 12:00:00,000: ERROR/MainProcess] Task failed'],
    ['ERROR', 'ERROR:    Exception in ASGI application'],
    ['ERROR', '2026-11-15 12:00:00 [error    ] no'],
    ['ERROR', '2026-11-15 12:00:00.000 | ERROR    | __main__:<module>:1 - no'],
    ['FATAL', 'Fatal Python error: Segmentation fault'],
    ['INFO', '127.0.0.1 - - [15/Nov/2026 12:00:00] "GET /error HTTP/1.1" 404 -'],
    ['ERROR', '[15/Nov/2026 12:00:00] "GET / HTTP/1.1" 500 145'],
    // Ruby
    ['FATAL', 'F, [2026-11-15T12:00:00.123456 #1] FATAL -- : [c0ffee] no'],
    ['ERROR', '[c0ffee] ActionController::RoutingError (No route matches [GET] "/x"):'],
    ['ERROR', '2026-11-15T12:00:00.000Z pid=1 tid=abc class=Mail jid=1 ERROR: no'],
    ['ERROR', '2026-11-15 12:00:00 - RuntimeError - no:'],
    ['ERROR', "/app/app.rb:3:in 'Object#run': no (RuntimeError)"],
    // Java
    ['ERROR', '2026-11-15T12:00:00.000Z ERROR 1 --- [shop] [main] c.e.A : no'],
    ['ERROR', '15-Nov-2026 12:00:00.000 SEVERE [main] org.apache.catalina.core no'],
    ['ERROR', 'APPLICATION FAILED TO START'],
    // PHP
    ['ERROR', '[2026-11-15T12:00:00.000000+00:00] app.ERROR: no [] []'],
    ['INFO', '{"message":"x","context":{},"level":200,"level_name":"INFO","channel":"app"}'],
    ['ERROR', '{"message":"x","level":400}'],
    ['FATAL', '[15-Nov-2026 12:00:00 UTC] PHP Fatal error:  Uncaught Exception'],
    ['FATAL', 'NOTICE: PHP message: PHP Fatal error:  Uncaught Exception'],
    [
      'ERROR',
      '[15-Nov-2026 12:00:00] WARNING: [pool www] child 8 said into stderr: "[2026-11-15 12:00:00] production.ERROR: no"',
    ],
    ['INFO', '[15-Nov-2026 12:00:00] NOTICE: fpm is running, pid 1'],
    // Elixir
    ['ERROR', '12:00:00.000 [error] GenServer terminating'],
    ['ERROR', '12:00:00.000 request_id=F8abc [error] no'],
    ['ERROR', '** (RuntimeError) no'],
    // .NET
    ['FATAL', '\u001b[41m\u001b[30mcrit\u001b[39m\u001b[22m\u001b[49m: App[0]'],
    ['ERROR', 'Unhandled exception. System.Exception: no'],
    ['ERROR', '{"EventId":13,"LogLevel":"Error","Category":"App"}'],
    ['ERROR', '[12:00:00 ERR] no'],
    ['ERROR', '2026-11-15 12:00:00.0000|ERROR|App|no'],
    ['ERROR', '2026-11-15 12:00:00.0000|error|App|no'],
    // Go
    ['ERROR', 'time=2026-11-15T12:00:00Z level=ERROR msg=no'],
    ['ERROR', '2026/11/15 12:00:00 ERROR no'],
    ['ERROR', '12:00PM ERR no error="x"'],
    ['ERROR', 'ERRO[0000] no'],
    ['FATAL', '{"level":"dpanic","ts":1}'],
    ['ERROR', '2026/11/15 12:00:00 http: panic serving 127.0.0.1:1: no'],
    ['ERROR', '[GIN] 2026/11/15 - 12:00:00 | 500 |  1.2ms | ::1 | GET "/"'],
    ['WARN', '[GIN-debug] [WARNING] Running in "debug" mode.'],
    // Deno, Bun, Next.js, foreman
    ['ERROR', `${red('error')}: Uncaught (in promise) Error: no`],
    ['ERROR', 'error: no'],
    ['FATAL', 'panic(main thread): Segmentation fault at address 0x0'],
    ['ERROR', ` ${red('⨯')} Error: no`],
    ['WARN', ' ⚠ no'],
    ['ERROR', '12:00:00 web.1  | ERROR no'],
  ])('is %s of %s', (severity, line) => {
    // On the other stream than the one that would make it likely.
    expect(severityOf(line, severity === 'WARN' ? 'stdout' : 'stderr')).toBe(severity);
  });

  it.each([
    'Listening on port 3000',
    'The word ERROR in a sentence is none',
    'GET /errors/fatal 200',
    'user chose [info] and left',
    'error_rate=0.1 fatal_errors=0',
    'Errors were found: 0',
    'information about an order',
    'infos: 3',
    'DEBUG=app something',
    'DEBUG=app:* node index.js',
    'ERROR.log was opened',
    '12:00:00 PM',
    '12:00:00 web.1  | started',
    '[app] one | two | error',
    'Aborted by the user',
    'thread main is panicked at nothing',
    '2026-11-15 12:00:00 UTC started',
    '',
    '   ',
    '{',
    '{"a":1}',
    '{"message":"{\\"level\\":\\"error\\"}"}',
    '{"level":{"nested":true}}',
    '[]',
    '<b>bold</b>',
    '<999999>',
    'level=',
  ])('is what the stream makes likely for %j', (line) => {
    expect([severityOf(line, 'stdout'), severityOf(line, 'stderr')]).toEqual(['INFO', 'WARN']);
  });

  it('is found in any line whatsoever, made safe or not', () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.string({
        unit: fc.constantFrom('[', ']', ' ', '\u001b', '{', '"', 'level', ':', '=', 'ERROR', '-', '\\', '1'),
      }),
      fc.json().map((json) => json.replace('{', '{"level":')),
    );
    fc.assert(
      fc.property(hostile, (line) => {
        expect(severityOf(line, 'stdout')).toMatch(/^(DEBUG|INFO|WARN|ERROR|FATAL)$/);
        expect(severityOf(makeSafe(line), 'stderr')).toMatch(/^(DEBUG|INFO|WARN|ERROR|FATAL)$/);
      }),
    );
  });

  it.each([
    ['a'.repeat(1e6)],
    ['['.repeat(1e5)],
    [' '.repeat(1e6)],
    [`{${'"level":'.repeat(1e5)}`],
    ['a.'.repeat(1e5)],
    ['\u001b[31m'.repeat(1e5)],
    ['- '.repeat(1e5)],
  ])('is found soon, however long the line', (line) => {
    // Going back and forth in it would take minutes.
    expect(severityOf(line, 'stdout')).toBe('INFO');
  });
});

describe('the name of a severity', () => {
  it('is known in any case and under other names', () => {
    const names = ['debug', 'Info', 'WARN', 'warning', 'ERR', 'CRITICAL', 'Trace', 'NOTICE', 'emerg'];
    expect(names.map(parseSeverity)).toEqual([
      'DEBUG',
      'INFO',
      'WARN',
      'WARN',
      'ERROR',
      'FATAL',
      'DEBUG',
      'INFO',
      'FATAL',
    ]);
    expect(['', 'loud', '__proto__', 'constructor', 'x'.repeat(1e6)].map(parseSeverity)).toEqual(
      Array.from({ length: 5 }, () => null),
    );
  });
});
