import { Button } from '../../../parts/button.tsx';
import type { LogBuffer } from '../../../parts/log-view/buffer.ts';
import { printLogLine } from './log-request.ts';

/** What is shown, as a file: with times, and with severities, which copying leaves out. */
export function DownloadButton({ log, name }: { log: LogBuffer; name: string }) {
  const download = () => {
    const text = log.lines
      .map(({ at, severity, plain }) => `${printLogLine({ at, severity, text: plain })}\n`)
      .join('');
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
    link.download = `${name}-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}.log`;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return <Button onClick={download}>Download</Button>;
}
